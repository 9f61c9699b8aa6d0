#pragma once
// The position of voxels in space, the steps between them as files give them, and units of length and time.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sscope {

// Our word for a unit that a file or a person names: "um" for "micron", "\u00b5m" and "micrometers", "angstrom" for
// "\u00c5". Empty for what means no length ("pixel", "none", "???"). Other words are returned as they are, trimmed.
[[nodiscard]] std::string lengthUnit(std::string_view word);

// How many millimeters one of these units is, in any spelling that lengthUnit() knows: pm, angstrom, nm, um, mm, cm,
// dm, m, km, inch. Empty for every other word.
[[nodiscard]] std::optional<double> millimetersIn(std::string_view unit);

// `value` in another unit, the number nearest to the exact one where the units differ by powers of ten. Throws
// std::bad_optional_access unless both are units of length.
[[nodiscard]] double convertLength(double value, std::string_view from, std::string_view to);

// The seconds in a number of a unit of time: "s" where the word is empty; 0 for words that are none.
[[nodiscard]] double secondsOf(double number, std::string_view unit);

// Of an option or a correction: "0.1um" as 0.1 and "um", "3" as 3 and "". Empty for what begins with no number.
struct NumberWithUnit {
  double value = 0;
  std::string unit;  // as it is given
};
[[nodiscard]] std::optional<NumberWithUnit> parseNumberWithUnit(std::string_view text);

// The position of voxels in space.

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

// The steps between voxels as files give them: axis by axis, each in a unit of its own.

struct AxisStep {
  double step = 1;   // > 0; ignored for Assumed
  std::string unit;  // in any spelling that lengthUnit() knows; empty: the file gives none
  StepSource source = StepSource::Given;
};

// Sets spacing, unit and steps of the geometry, whose origin is in `geometry.unit` and follows. The unit is that of the
// first axis that has one of length; the others are converted to it. An axis without one, beside axes that have one,
// and every axis whose step is no positive number, is Assumed. Where no axis has a unit of length the unit is the word
// that all share, or none.
void setSteps(Geometry& geometry, const std::array<AxisStep, 3>& axes);

// "the file gives no gap between slices; 1 is assumed, and lengths along z are refused: give it with --spacing ..."
// Empty where all steps along axes with more than one voxel are known, and where no axis has a unit of length: then
// nothing is misunderstood.
[[nodiscard]] std::string assumedNotice(const Geometry& geometry, const std::array<std::int64_t, 3>& extent);

[[nodiscard]] bool isAssumedNotice(const std::string& notice);

}  // namespace sscope
