#include "core/io/base/selection.h"

#include <algorithm>
#include <filesystem>

#include "core/base/error.h"
#include "core/io/base/file_names.h"
#include "core/io/base/sniff.h"

namespace sscope::io {

std::size_t choosePart(const PartHolder& holder, const std::vector<FilePart>& parts, const std::string& selector,
                       std::vector<std::string>& notices) {
  const std::string there = std::to_string(parts.size()) + " " + holder.what;
  const auto usual = parts.size() == 1 ? parts.begin() : std::ranges::find(parts, true, &FilePart::usual);
  if (selector.empty() && usual != parts.end()) {
    if (parts.size() > 1)
      notices.push_back(holder.holds + " " + there + ", of which " + usual->selector +
                        " was read; one of these behind the name chooses: " + partsText(parts));
    return static_cast<std::size_t>(usual - parts.begin());
  }
  const auto chosen = std::ranges::find(parts, selector, &FilePart::selector);
  if (!selector.empty() && chosen != parts.end()) return static_cast<std::size_t>(chosen - parts.begin());
  throw Error(ErrorKind::Usage,
              "cannot read " + holder.name + (selector.empty() ? "" : selector) + ": " + holder.holds + " " + there +
                  (selector.empty() ? "" : " and not this one"),
              "put one of these behind the name: " + partsText(parts));
}

bool mayHaveParts(const std::string& name) {
  try {
    const Selection selection = parseSelection(name);
    if (!selection.part().empty() || selection.correction.raw) return false;
    std::error_code code;
    if (isSlicePattern(selection.path)) return true;
    if (std::filesystem::is_directory(selection.path, code)) return picturesOf(selection.path).empty();
    const FormatId id = sniffFormat(selection.path);
    return id == FormatId::tiff || id == FormatId::npy || id == FormatId::hdf5;
  } catch (const Error&) {
    return false;  // reading it says why
  }
}

void requireNoChoice(const Selection& selection) {
  if (selection.series != 0)
    throw Error(ErrorKind::Usage, selection.path + " has no series to choose from",
                "leave @series out: only DICOM, TIFF and OME-Zarr have them");
  if (!selection.array.empty())
    throw Error(ErrorKind::Usage, selection.path + " has no arrays to choose from",
                "leave @array out: only .npz files have them");
  if (!selection.dataset.empty())
    throw Error(ErrorKind::Usage, selection.path + " has no datasets to choose from",
                "leave :" + selection.dataset + " out: only HDF5 files and Zarr stores have them");
  if (selection.level)
    throw Error(ErrorKind::Usage, selection.path + " has no levels to choose from",
                "leave @level out: only OME-Zarr stores have them");
}

void requireChoice(const Selection& selection, FormatId format) {
  Selection other = selection;
  if (format == FormatId::tiff) other.series = 0;
  if (format == FormatId::npy) other.array.clear();
  if (format == FormatId::hdf5) other.dataset.clear();
  if (format == FormatId::zarr) {
    other.series = 0;
    other.dataset.clear();
    other.level.reset();
  }
  requireNoChoice(other);
}

}  // namespace sscope::io
