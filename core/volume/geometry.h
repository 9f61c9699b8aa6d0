#pragma once
// The position of voxels in space, the steps between them as files give them, and the units of length and time.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sscope {

// The program's word for a unit that a file or a user names: "um" for "micron", "\u00b5m" and "micrometers", "angstrom"
// for "\u00c5". Empty for words that mean no length ("pixel", "none", "???"). Other words are returned as they are,
// trimmed.
[[nodiscard]] std::string lengthUnit(std::string_view word);

// The length of a unit in millimeters, in any spelling that lengthUnit() knows: pm, angstrom, nm, um, mm, cm, dm, m,
// km, inch. Empty for every other word.
[[nodiscard]] std::optional<double> millimetersIn(std::string_view unit);

// `value` in another unit, the number nearest to the exact one if the units differ by powers of ten. Throws
// std::bad_optional_access unless both are units of length.
[[nodiscard]] double convertLength(double value, std::string_view from, std::string_view to);

// A number of time units in seconds; an empty word means "s"; 0 for unknown words.
[[nodiscard]] double secondsOf(double number, std::string_view unit);

// A number of an option or a correction: "0.1um" as 0.1 and "um", "3" as 3 and "". Empty if the text does not begin
// with a number.
struct NumberWithUnit {
  double value = 0;
  std::string unit;  // as it is given
};
[[nodiscard]] std::optional<NumberWithUnit> parseNumberWithUnit(std::string_view text);

// The position of voxels in space.

// The source of the length of a step between voxels.
enum class StepSource : std::uint8_t {
  Given,
  Derived,  // from positions in the file, such as those of slices
  Assumed,  // unknown: lengths along this axis are meaningless
};

// "given", "derived", "assumed".
[[nodiscard]] std::string_view toString(StepSource source);

// Physical position of voxel (i, j, k): origin + direction * (spacing .* (i, j, k)), in `unit`. Directions follow ITK:
// LPS (x to the patient's left, y to posterior, z to superior) if the file defines them.
struct Geometry {
  std::array<double, 3> spacing{1, 1, 1};                      // > 0, per voxel
  std::array<double, 3> origin{0, 0, 0};                       // center of voxel (0,0,0)
  std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};  // row-major; column a is index axis a
  std::string unit = "mm";                                     // "mm", "um", ... or "" when unknown
  std::array<StepSource, 3> steps{};                           // of `spacing`

  // Whether lengths in millimeters are meaningful along an axis.
  [[nodiscard]] bool hasLength(std::size_t axis) const;

  [[nodiscard]] std::array<double, 3> toPhysical(const std::array<double, 3>& index) const {
    std::array<double, 3> p = origin;
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t axis = 0; axis < 3; ++axis) p[row] += direction[3 * row + axis] * spacing[axis] * index[axis];
    return p;
  }
  bool operator==(const Geometry&) const = default;
};

// The same positions in another unit of length, including those from assumed steps, so that the picture stays the same.
// A geometry without a known unit of length is returned unchanged.
[[nodiscard]] Geometry inUnit(Geometry geometry, const std::string& unit);
// The same in millimeters, for formats without other units.
[[nodiscard]] Geometry inMillimeters(Geometry geometry);

// The steps between voxels as files give them: axis by axis, each in a unit of its own.

struct AxisStep {
  double step = 1;   // > 0; ignored for Assumed
  std::string unit;  // in any spelling that lengthUnit() knows; empty: the file gives none
  StepSource source = StepSource::Given;
};

// Sets spacing, unit and steps of the geometry, and converts its origin from `geometry.unit`. The unit is the first
// unit of length of an axis; the other axes are converted to it. An axis without a unit, if others have one, and every
// axis whose step is not positive, is Assumed. If no axis has a unit of length, the unit is the word that all axes
// share, or none.
void setSteps(Geometry& geometry, const std::array<AxisStep, 3>& axes);

// "the file gives no gap between slices; 1 is assumed, and lengths along z are refused: give it with --spacing ..."
// Empty if all steps along axes with more than one voxel are known, or if no axis has a unit of length.
[[nodiscard]] std::string assumedNotice(const Geometry& geometry, const std::array<std::int64_t, 3>& extent);

[[nodiscard]] bool isAssumedNotice(const std::string& notice);

}  // namespace sscope
