#pragma once
// A volume whose header has been read: its description and where its voxels are. Every format gives one; reading it
// whole, by planes and in another process all start here (core/io/planes/read_planes.h).

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/io/base/convert.h"
#include "core/volume/selection.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

enum class Packing : std::uint8_t {
  None,
  Deflate,  // one gzip or zlib stream a file
  Planes,   // the reader program decodes them, plane by plane; runBytes is the size of a plane
  Text,     // numbers, which are read whole
};

// The order of the voxels in a file: frames x voxels x components. In a Volume the frames of a voxel lie side by side.
// Frames that are `times` time points of several channels, time fastest, are reordered to channels fastest.
struct FrameLayout {
  std::int64_t voxels = 0, frames = 1, components = 1, times = 1;
};

struct VoxelFile {
  std::string path;
  std::int64_t offset = 0;
};

struct StoredVoxels {
  std::string file;
  std::int64_t offset = 0;  // of the first byte of the voxels, or of the stream that holds them; -1: they end the file
  std::vector<VoxelFile> further;  // files behind the first; all hold the same number of voxels
  // After every runBytes bytes of voxels come gapBytes of other data. 0: the voxels are contiguous.
  std::int64_t runBytes = 0, gapBytes = 0;
  Packing packing = Packing::None;
  std::int64_t skip = 0;   // unpacked bytes of the stream before the voxels; -1: the voxels end the stream
  std::string separators;  // characters that separate numbers of text, besides white space
  Stored type = Stored::u8;
  bool swapped = false;  // the bytes of each element are in the other order
  Scale scale{};
  FrameLayout layout{};
  ChosenComponents chosen{};  // of the frames * components of a voxel in the order of a Volume
  bool symmetric = false;     // the 9 components are symmetric matrices, of which the 6 of the upper triangle are read

  // Size of all voxels, before they are converted.
  [[nodiscard]] std::int64_t bytes() const {
    return layout.voxels * layout.frames * layout.components * static_cast<std::int64_t>(bytesOf(type));
  }
  // Size of the voxels and the gaps between them.
  [[nodiscard]] std::int64_t span() const {
    return bytes() + (gapBytes == 0 ? 0 : (bytes() / runBytes - 1) * gapBytes);
  }
  // The first component of a Volume's voxel that a frame of the file holds; the others follow it.
  [[nodiscard]] std::int64_t firstComponentOf(std::int64_t frame) const {
    return (frame % layout.times * (layout.frames / layout.times) + frame / layout.times) * layout.components;
  }
};

// Gives the bytes of voxels that are in no file as StoredVoxels describes them: unpacked members, reordered arrays.
using MakeBytes = std::function<std::vector<std::byte>(const Control& control)>;
// Decodes planes begin..end-1 across the slowest axis, in the type of the stored voxels and the order of a Volume with
// all components. Throws Error(BadData, ...), Canceled.
using DecodePlanes =
    std::function<void(std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& control)>;

// Pages that are read as the slices of a file and then put into another order.
struct ArrangedPages {
  PageOrder order;
  VolumeInfo file;          // the description before
  ChosenComponents chosen;  // of the arranged components
};

struct LocatedVolume {
  VolumeInfo info;
  StoredVoxels voxels;

  // The members below exist only in the process that has read the header.
  DecodePlanes decode;        // Packing::Planes
  std::int64_t together = 1;  // planes that share chunks, which are unpacked once for all of them
  MakeBytes make;             // where the whole is read from other bytes than planes are
  std::string onlyWhole;      // why planes cannot be read by themselves; empty: they can
  std::optional<ArrangedPages> pages;
  std::function<void(VolumeInfo&)> noteRead;  // adds notices that are known once all voxels were read
};

// The layout of a volume whose components all are read, each frame of `components` components behind the other.
[[nodiscard]] inline FrameLayout framesOf(const VolumeShape& shape, std::int64_t components) {
  return {shape.voxels(), shape.components / components, components, 1};
}
[[nodiscard]] inline ChosenComponents allOf(const VolumeShape& shape) { return {0, shape.components, 1}; }

[[nodiscard]] std::int64_t planesOf(const VolumeShape& shape);  // across the slowest axis

// A volume that is decoded; `stored` is the type of the decoded values. `info` is complete.
[[nodiscard]] LocatedVolume decodedVolume(const std::string& file, VolumeInfo info, Stored stored, DecodePlanes decode);

// Sets the type and the layout of the voxels, of which frames of `componentsOfFrame` components follow each other, and
// the type of the volume: the stored one, f32 for half floats, f64 for 64-bit integers until their values are known.
void takeStored(LocatedVolume& located, Stored type, std::int64_t componentsOfFrame);

// 64-bit integers get the narrowest type that holds all of them, with a notice; this reads all of them once. Other
// volumes stay as they are. `shown` is the name that the user gave. Throws as reading does.
void settleType(LocatedVolume& located, const std::string& shown, const Control& control);

// Throws Error(Unsupported) where planes cannot be read by themselves.
void requirePlanes(const LocatedVolume& located, const std::string& shown);

// Whether the voxels lie in one file as a Volume holds them, but perhaps for gaps and the order of bytes.
[[nodiscard]] bool isPlain(const LocatedVolume& located);

}  // namespace sscope::io
