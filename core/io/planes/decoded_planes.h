#pragma once
// Voxels that have to be decoded, some planes at a time: compressed pages, chunks, slices in files of their own. Runs
// in the reader process.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/io/base/stored_voxels.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

struct DecodedPlanes {
  VolumeInfo info;
  // Decodes planes begin..end-1 across the slowest axis, as a Volume holds them. Throws Error(BadData, ...), Canceled.
  std::function<void(std::int64_t begin, std::int64_t end, std::span<std::byte> out, const Control& control)> read;
  std::int64_t together = 1;  // so many share chunks, which are unpacked once for them
};

// Takes bytes of planes, in their order.
using TakeBytes = std::function<void(std::span<const std::byte> bytes)>;
// All planes from `begin` on, in pieces of kLongestFrame at most. Throws as DecodedPlanes::read, and what `take`
// throws.
void sendPlanes(const DecodedPlanes& planes, std::int64_t begin, const TakeBytes& take, const Control& control);

// As a place: voxels that the reader decodes.
[[nodiscard]] LocatedVolume locatedPlanes(const std::string& file, VolumeInfo info);

}  // namespace sscope::io
