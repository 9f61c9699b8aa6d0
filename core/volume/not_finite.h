#pragma once
// Notices about values that are NaN or infinite.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/control.h"
#include "core/volume/volume_io.h"

namespace sscope {

// How many of these elements are NaN or infinite; whole elements, 0 for integers.
[[nodiscard]] std::int64_t countNonFinite(ElementType type, std::span<const std::byte> elements);

// Of a whole volume. Throws Canceled.
[[nodiscard]] std::int64_t countNonFinite(const Volume& volume, const Control& control);

// Replaces the notice on non-finite values by one for so many of them, or removes it.
void noteNonFinite(VolumeInfo& info, std::int64_t count);
// Replaces the notice on non-finite values by one for `voxels`, which have info's shape and type; removes it if all are
// finite. Throws Canceled.
void noteNonFinite(VolumeInfo& info, const std::byte* voxels, const Control& control);

}  // namespace sscope
