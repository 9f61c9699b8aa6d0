#pragma once
// Converted and cropped copies of volumes that are larger than memory, read by planes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/base/control.h"
#include "core/volume/change.h"
#include "core/volume/volume_stream.h"

namespace sscope {

struct PlanesChange {
  Box box;  // of the voxels that are kept
  ElementType type = ElementType::f32;
};

// Of the copy. Throws Error(Usage) as cropped().
[[nodiscard]] VolumeOutline changedOutline(const VolumeInfo& info, const PlanesChange& change);

// `take` gets all planes of the copy from the first to the last, some at a time, the first of them counted from the
// copy's first. Returns the counts of converted(), without a volume. Throws as changedOutline(), VolumeSource::read and
// `take`.
ConvertedVolume changePlanes(VolumeSource& source, const PlanesChange& change,
                             const std::function<void(std::int64_t begin, std::span<const std::byte> voxels)>& take,
                             const Control& control);

}  // namespace sscope
