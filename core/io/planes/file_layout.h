#pragma once
// Files whose voxels lie in a known order, so that planes have their place before any other is written.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/volume/volume_io.h"

namespace sscope::io {

// The order of the components in a file: groups of `each` components that lie side by side in a voxel.
struct VoxelOrder {
  int each = 0;   // 0: all, as in a Volume
  int times = 1;  // groups are time points of channels, time slowest in a Volume
  // False: all voxels of a group follow each other; of several groups of a channel the times follow each other.
  // True: the groups of one slice follow each other, channels fastest, then slices, then times.
  bool bySlices = false;
};

struct FileLayout {
  std::filesystem::path path;    // as the user named it
  std::filesystem::path header;  // a text of its own beside the voxels; empty: none
  std::string headerText;
  std::filesystem::path data;     // the file with the voxels
  std::vector<std::byte> before;  // bytes of that file before the voxels, and after them
  std::vector<std::byte> after;
  VolumeOutline volume;
  VoxelOrder order;
  bool swapped = false;  // the bytes of each element are in the other order
  // How voxels are packed, where they are: with zlib or gzip, and whether `before` is in the same stream. `sizeAt` is
  // the place in `before` where the number of packed bytes is written, with all digits of the zeros there; 0: nowhere.
  enum class Packing { None, Zlib, Gzip } packing = Packing::None;
  bool packsHeader = false;
  std::size_t sizeAt = 0, sizeDigits = 0;

  [[nodiscard]] std::int64_t planes() const;  // across the slowest axis, see core/volume/volume_stream.h
  [[nodiscard]] std::int64_t planeBytes() const { return volume.bytes() / planes(); }
  [[nodiscard]] std::int64_t voxelOffset() const { return static_cast<std::int64_t>(before.size()); }
  [[nodiscard]] std::int64_t fileBytes() const;  // of the file with the voxels, where they are not packed
};

// Bytes and their place in the file with the voxels.
using PutBytes = std::function<void(std::int64_t offset, std::span<const std::byte> bytes)>;
// Calls `put` for all of planes begin and on, which `voxels` holds as a Volume does; for a whole volume in the order of
// the file unless that is bySlices, and with progress. Throws Canceled, and what `put` throws.
void placePlanes(const FileLayout& layout, std::int64_t begin, std::span<const std::byte> voxels, const PutBytes& put,
                 const Control& control);

}  // namespace sscope::io
