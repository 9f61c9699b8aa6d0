#pragma once
// Converted and cropped copies of volumes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/base/control.h"
#include "core/volume/volume.h"
#include "core/volume/volume_stream.h"

namespace sscope {

struct ConvertedVolume {
  Volume volume;
  std::int64_t saturated = 0;   // elements outside the new type's range, set to its nearest end, an infinity for f32
  std::int64_t notNumbers = 0;  // to integers: elements that are NaN, set to 0
  std::int64_t rounded = 0;     // other changed elements: fractions, or more digits than f32 holds
  std::int64_t nonzero = 0, vanished = 0;  // to f32: nonzero elements, and those of them that became 0
  // Adds the counts of another part.
  void add(const ConvertedVolume& other);
};

// Integers are rounded and saturate as the results of filters do (core/volume/element_type.h). Throws Error(Memory),
// Canceled.
[[nodiscard]] ConvertedVolume converted(const Volume& volume, ElementType type, const Control& control);

// Throws Error(Usage) when the box is empty or exceeds the shape.
void requireWithin(const Box& box, const VolumeShape& shape);

// The voxels of `box`, with their physical positions. Throws Error(Usage) when it is empty or exceeds the volume,
// Error(Memory), Canceled.
[[nodiscard]] Volume cropped(const Volume& volume, const Box& box, const Control& control);

// Converted and cropped copies of volumes that are larger than memory, read by planes.

struct PlanesChange {
  Box box;  // of the voxels that are kept
  ElementType type = ElementType::f32;
};

// The outline of the copy. Throws Error(Usage) as cropped().
[[nodiscard]] VolumeOutline changedOutline(const VolumeInfo& info, const PlanesChange& change);

// `take` receives all planes of the copy in order, some at a time; `begin` is counted from the first plane of the copy.
// Returns the counts of converted(), without a volume. Throws as changedOutline(), VolumeSource::read and `take`.
ConvertedVolume changePlanes(VolumeSource& source, const PlanesChange& change,
                             const std::function<void(std::int64_t begin, std::span<const std::byte> voxels)>& take,
                             const Control& control);

// Common logarithms as f32, of the same shape, for fields that span decades, such as |psi|^2. Values that are not
// positive are put a decade below the smallest positive one; NaN and Inf stay. Null if no value is positive.
[[nodiscard]] std::shared_ptr<const Volume> logarithmOf(const Volume& volume);

}  // namespace sscope
