#pragma once
// Where the voxels of a file lie, and how they become those of a Volume: what has to be known to read some planes of
// it.

#include <cstdint>
#include <string>

#include "core/io/base/convert.h"
#include "core/volume/selection.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

enum class Packing : std::uint8_t {
  None,
  Deflate,  // one gzip or zlib stream
  Planes,   // whatever the reader decodes plane by plane (decoded_planes.h); runBytes are those of a plane
};

struct StoredVoxels {
  std::string file;
  std::int64_t offset = 0;  // of the first byte of the voxels, or of the stream that holds them; -1: they end the file
  // After every runBytes bytes of voxels come gapBytes of something else. 0: all follow each other.
  std::int64_t runBytes = 0, gapBytes = 0;
  Packing packing = Packing::None;
  std::int64_t skip = 0;  // unpacked bytes of the stream before the voxels
  Stored type = Stored::u8;
  bool swapped = false;  // the bytes of each element are in the other order
  Scale scale{};
  FrameLayout layout{};       // the file's order: frames slowest, then z, y, x, and the components of a frame innermost
  ChosenComponents chosen{};  // of the frames * components of a voxel in the order of a Volume (see scatter())

  // Of all voxels, before they are converted.
  [[nodiscard]] std::int64_t bytes() const {
    return layout.voxels * layout.frames * layout.components * static_cast<std::int64_t>(bytesOf(type));
  }
  // Of them and what lies between them.
  [[nodiscard]] std::int64_t span() const {
    return bytes() + (gapBytes == 0 ? 0 : (bytes() / runBytes - 1) * gapBytes);
  }
  // The first component of a Volume's voxel that a frame of the file holds; the others follow it.
  [[nodiscard]] std::int64_t firstComponentOf(std::int64_t frame) const {
    return (frame % layout.times * (layout.frames / layout.times) + frame / layout.times) * layout.components;
  }
};

struct LocatedVolume {
  VolumeInfo info;
  StoredVoxels voxels;
};

// Of a volume whose components all are read, each frame of `components` of them after the other.
[[nodiscard]] inline FrameLayout framesOf(const VolumeShape& shape, std::int64_t components) {
  return {shape.voxels(), shape.components / components, components, 1};
}
[[nodiscard]] inline ChosenComponents allOf(const VolumeShape& shape) { return {0, shape.components, 1}; }

}  // namespace sscope::io
