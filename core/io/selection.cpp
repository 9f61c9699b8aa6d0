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
    info.fileFrames = info.metadata.frames;
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

void requireNoChoice(const Selection& selection) {
  if (selection.series != 0)
    throw Error(ErrorKind::Usage, selection.path + " has no series to choose from",
                "leave @series out: only folders and patterns of DICOM files have them");
  if (!selection.array.empty())
    throw Error(ErrorKind::Usage, selection.path + " has no arrays to choose from",
                "leave @array out: only .npz files have them");
}

void requireChoice(const Selection& selection, FormatId format) {
  Selection other = selection;
  if (format == FormatId::npy) other.array.clear();
  requireNoChoice(other);
}

}  // namespace sscope::io
