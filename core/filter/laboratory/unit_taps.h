#pragma once
// Taps of any size, brought near 1, so that sums, squares and transforms of them neither overflow nor vanish.

#include "core/filter/stencil.h"

namespace sscope {

// A filter as `taps` times 2^exponent. Nothing is rounded, but for taps below 2^-1022 of the largest.
struct UnitTaps {
  Stencil taps;
  int exponent = 0;
  bool some = true;  // false: all taps are 0
};

// The largest |tap| becomes one from 1/2 to 1; of a sum of terms, the largest product of the largest of its axes. Taps
// that are all 0 or not all finite stay as they are.
[[nodiscard]] UnitTaps unitTaps(Stencil filter);

// Of taps whose largest has an exponent up to this, squares of sums stay within double precision.
inline constexpr int kOrdinaryExponent = 300;
// Ordinary taps as they are, with the exponent 0; others as unitTaps.
[[nodiscard]] UnitTaps ordinaryTaps(const Stencil& filter);

}  // namespace sscope
