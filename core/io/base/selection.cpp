#include "core/io/base/selection.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/base/error.h"
#include "core/io/base/slices.h"
#include "core/io/base/sniff.h"

namespace sscope::io {

VolumeInfo readSelected(const Selection& selection, const Decode& decode, const AllocateVoxels& allocate,
                        const Control& control) {
  const std::string& axes = selection.correction.axes;
  PageOrder order;
  ChosenComponents chosen;
  const auto whole = [&](VolumeInfo info) {
    if (!axes.empty()) info = arranged(std::move(info), order = pageOrder(axes, selection.path, info));
    info.fileFrames = std::max(info.fileFrames, info.metadata.frames);
    return corrected(std::move(info), selection.correction);
  };
  const auto described = [&](const VolumeInfo& claimed) {
    VolumeInfo info = whole(claimed);
    if (!selection.some()) return info;
    chosen = chosenComponents(selection, info);
    return chosenInfo(selection, std::move(info), chosen);
  };
  if (!selection.some() && axes.empty())
    return described(decode(
        selection.path, [&](const VolumeInfo& claimed) { return allocate(described(claimed)); }, control));
  std::vector<std::byte> read, ordered;
  std::byte* out = nullptr;
  const VolumeInfo info = decode(
      selection.path,
      [&](const VolumeInfo& claimed) -> std::byte* {
        out = allocate(described(claimed));
        if (out == nullptr) return nullptr;
        requireMemory(selection.path, claimedBytes(claimed), 0);
        read.resize(static_cast<std::size_t>(claimedBytes(claimed)));
        return read.data();
      },
      control);
  if (out == nullptr) return described(info);
  const VolumeInfo all = whole(info);
  if (!axes.empty() && selection.some()) ordered.resize(read.size());
  std::byte* const place = selection.some() ? ordered.data() : out;
  if (!axes.empty()) arrange(info, order, read.data(), place, control);
  if (selection.some())
    copyChosen(axes.empty() ? read.data() : place, static_cast<std::size_t>(all.shape.components), chosen,
               static_cast<std::size_t>(all.shape.voxels()), bytesOf(all.type), out, control);
  return described(info);
}

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
