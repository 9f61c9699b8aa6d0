#pragma once
// What all readers of formats share: room for voxels, checks of claims, repairs of geometry.

#include <cstddef>
#include <functional>
#include <string>

#include "core/volume/volume_io.h"

namespace sscope::io {

// Called once, when shape, type and geometry are known: returns room for the voxels (dense, components innermost,
// zero-filled or not), or nullptr when only the header is needed. Throws Error(Memory) when they do not fit.
using AllocateVoxels = std::function<std::byte*(const VolumeInfo&)>;

// Bytes of the shape that a header claims; double, so that absurd claims do not overflow.
[[nodiscard]] double claimedBytes(const VolumeInfo& info);

// Throws Error(Memory), naming the bytes needed, when `bytes` exceeds `available` (0: unknown, no limit).
void requireMemory(const std::string& path, double bytes, double available);

// Replaces invalid geometry: spacings that are not positive and finite, origins that are not finite, singular
// directions. Each repair adds a notice. So do steps that nobody gave (assumedNotice()) and axes that are not at right
// angles (sheared data): they are kept, but filters ignore the shear.
void repairGeometry(VolumeInfo& info);

}  // namespace sscope::io
