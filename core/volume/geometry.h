#pragma once
// The position of voxels in space.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sscope {

// Whence the length of a step between voxels is known.
enum class StepSource : std::uint8_t {
  Given,
  Derived,  // from positions that the file gives, as of slices
  Assumed,  // nobody gave it: lengths along that axis mean nothing
};

// "given", "derived", "assumed".
[[nodiscard]] std::string_view toString(StepSource source);

// Physical position of voxel (i, j, k): origin + direction * (spacing .* (i, j, k)), in `unit`. Directions follow ITK:
// LPS (x to the patient's left, y to posterior, z to superior) when the file defines them.
struct Geometry {
  std::array<double, 3> spacing{1, 1, 1};                      // > 0, per voxel
  std::array<double, 3> origin{0, 0, 0};                       // center of voxel (0,0,0)
  std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};  // row-major; column a is index axis a
  std::string unit = "mm";                                     // "mm", "um", ... or "" when unknown
  std::array<StepSource, 3> steps{};                           // of `spacing`

  // Whether lengths in millimeters mean something along an axis.
  [[nodiscard]] bool hasLength(std::size_t axis) const;

  [[nodiscard]] std::array<double, 3> toPhysical(const std::array<double, 3>& index) const {
    std::array<double, 3> p = origin;
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t axis = 0; axis < 3; ++axis) p[row] += direction[3 * row + axis] * spacing[axis] * index[axis];
    return p;
  }
  bool operator==(const Geometry&) const = default;
};

// The same positions in another unit of length, those by assumed steps as well: the picture stays the same. A geometry
// without a known unit of length is returned unchanged.
[[nodiscard]] Geometry inUnit(Geometry geometry, const std::string& unit);
// The same in millimeters, for formats without other units.
[[nodiscard]] Geometry inMillimeters(Geometry geometry);

}  // namespace sscope
