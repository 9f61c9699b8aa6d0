#pragma once
// Files whose voxels follow each other uncompressed, so that planes have their place before any other is written.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/volume/volume_io.h"

namespace sscope::io {

struct FileLayout {
  std::filesystem::path path;    // as the user named it
  std::filesystem::path header;  // a text of its own beside the voxels; empty: none
  std::string headerText;
  std::filesystem::path data;     // the file with the voxels
  std::vector<std::byte> before;  // bytes of that file before the voxels, and after them
  std::vector<std::byte> after;
  VolumeOutline volume;
  // Components are slowest in the file (NIfTI), of those the frames fastest: 0: innermost, as in a Volume; else the
  // number of frames.
  int outerFrames = 0;

  [[nodiscard]] std::int64_t planes() const;  // across the slowest axis, see core/volume/volume_stream.h
  [[nodiscard]] std::int64_t planeBytes() const { return volume.bytes() / planes(); }
  [[nodiscard]] std::int64_t voxelOffset() const { return static_cast<std::int64_t>(before.size()); }
  [[nodiscard]] std::int64_t fileBytes() const;  // of the file with the voxels
};

// Bytes and where they go in the file with the voxels.
using PutBytes = std::function<void(std::int64_t offset, std::span<const std::byte> bytes)>;
// Calls `put` for all of planes begin and on, which `voxels` holds as a Volume does. Throws Canceled, and what `put`
// throws.
void placePlanes(const FileLayout& layout, std::int64_t begin, std::span<const std::byte> voxels, const PutBytes& put,
                 const Control& control);

}  // namespace sscope::io
