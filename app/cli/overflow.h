#pragma once
// Values that leave the range of a type: infinities, and numbers too small for f32.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/volume/volume.h"

namespace sscope::cli {

// How many elements of an f64 volume are not 0, and how many of those f32 makes 0 (at most 2^-150, or 7e-46). Zeros for
// other types. Throws Canceled.
struct SmallValues {
  std::int64_t nonzero = 0, tooSmall = 0;
};
// Adds those of more elements, which are f64.
void addSmallValues(std::span<const std::byte> elements, SmallValues& values);
[[nodiscard]] SmallValues tooSmallForF32(const Volume& volume, const Control& control);
// Whether enough of the nonzero values became 0 for a notice: more than 1 %.
[[nodiscard]] bool isUnderflow(std::int64_t tooSmall, std::int64_t nonzero);

// Of a result that is not finite in `count` elements though all of its input is. formulas: they may have made them.
[[nodiscard]] std::string overflowNotice(std::int64_t count, ElementType input, ElementType result,
                                         bool formulas = false);

// Of results that were clamped to the range of an integer type. notNumbers: NaN may be among them.
[[nodiscard]] std::string saturationNotice(std::int64_t count, ElementType result, bool notNumbers);

}  // namespace sscope::cli
