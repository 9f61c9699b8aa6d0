#include "core/io/selection.h"

#include <algorithm>
#include <vector>

#include "core/base/error.h"

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

std::string seriesText(const std::vector<std::string>& list) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(list.size(), kMost); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(i + 1) + " of " + list[i];
  return text + (list.size() > kMost ? ", ..." : "");
}

std::size_t chooseSeries(const SeriesHolder& holder, const std::vector<std::string>& list, int number,
                         std::vector<std::string>& notices) {
  if (number > static_cast<int>(list.size()))
    throw Error(ErrorKind::Usage,
                "cannot read series " + std::to_string(number) + " of " + holder.name + ": " + holder.holds + " " +
                    std::to_string(list.size()),
                "choose one of them: " + seriesText(list));
  if (number == 0 && list.size() > 1)
    notices.push_back(holder.holds + " " + std::to_string(list.size()) + " series, of which the " + holder.usual +
                      " was read; @series=N behind the name chooses: " + seriesText(list));
  return number == 0 ? 0 : static_cast<std::size_t>(number) - 1;
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
