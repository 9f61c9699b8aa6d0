#pragma once
// What every decoder of this room is given and gives back.

#include <cstddef>
#include <functional>
#include <string>

#include "core/base/control.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// Called once, when shape, type and geometry are known: returns room for the voxels (dense, components innermost,
// zero-filled or not), or nullptr when only the header is wanted. Throws Error(Memory) when they do not fit.
using AllocateVoxels = std::function<std::byte*(const VolumeInfo&)>;

// A decoder fills the memory from `allocate` and returns what it read; notices may be added after allocation.
using Decode = std::function<VolumeInfo(const std::string& path, const AllocateVoxels& allocate, const Control&)>;

// Sizes in bytes of a claimed shape as double, so that absurd claims do not overflow.
[[nodiscard]] double claimedBytes(const VolumeInfo& info);

// Throws Error(Memory) naming the bytes needed when `bytes` are more than `available` (0: unknown, anything goes).
void requireMemory(const std::string& path, double bytes, double available);

// Repairs what no file should say: spacings that are not positive and finite, origins that are not finite, directions
// without a volume. Each repair adds a notice, and so do axes that are not at right angles (sheared data): they are
// kept, but filters know nothing of it.
void repairGeometry(VolumeInfo& info);

}  // namespace sscope::io
