#include "core/io/selection.h"

#include <vector>

namespace sscope::io {

namespace {

VolumeInfo withFrames(VolumeInfo info) {
  info.fileFrames = info.metadata.frames;
  return info;
}

}  // namespace

VolumeInfo readSelected(const Selection& selection, const Decode& decode, const AllocateVoxels& allocate,
                        const Control& control) {
  if (!selection.some())
    return withFrames(decode(
        selection.path, [&](const VolumeInfo& claimed) { return allocate(withFrames(claimed)); }, control));
  std::vector<std::byte> all;
  std::byte* out = nullptr;
  ChosenComponents chosen;
  const VolumeInfo read = withFrames(decode(
      selection.path,
      [&](const VolumeInfo& claimed) -> std::byte* {
        chosen = chosenComponents(selection, claimed);
        out = allocate(chosenInfo(selection, withFrames(claimed), chosen));
        if (out == nullptr) return nullptr;
        requireMemory(selection.path, claimedBytes(claimed), 0);
        all.resize(static_cast<std::size_t>(claimedBytes(claimed)));
        return all.data();
      },
      control));
  if (out != nullptr)
    copyChosen(all.data(), static_cast<std::size_t>(read.shape.components), chosen,
               static_cast<std::size_t>(read.shape.voxels()), bytesOf(read.type), out, control);
  return chosenInfo(selection, read, chosen);
}

}  // namespace sscope::io
