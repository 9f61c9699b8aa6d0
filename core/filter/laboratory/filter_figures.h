#pragma once
// The figures of one linear filter.

#include <array>
#include <cstdint>
#include <optional>

#include "core/base/control.h"
#include "core/filter/stencil.h"

namespace sscope {

struct FilterFigures {
  std::array<std::int64_t, 3> size{1, 1, 1};
  double sum = 0;           // of the taps: the gain of constant data, H(0)
  bool sumsToZero = false;  // within rounding
  // The sum of |w|: the largest gain of any data. Empty for sums of terms with more than 10 million taps.
  std::optional<double> absoluteSum;
  double noise = 0;                       // sqrt(sum w^2): the gain of the standard deviation of white noise
  std::array<double, 3> center{0, 0, 0};  // voxels from the anchor; 0 if the sum counts as 0
  // Square root of the second central moment sum w (x - center)^2 / sum w, in voxels. Empty if the sum is negative or
  // counts as 0, or if the moment is negative.
  std::array<std::optional<double>, 3> sigma;
  std::optional<double> lostTailMass;  // Stencil::lostTailMass if it is known
  // The smallest known number of separable terms; for an image the rank of the taps as a matrix, for a volume a bound.
  // Empty if there are more than kMostSeparableTerms.
  std::optional<std::int64_t> terms;
  std::int64_t denseProducts = 1;                 // per output
  std::optional<std::int64_t> separableProducts;  // per output, as such a sum
};

inline constexpr std::int64_t kMostSeparableTerms = 32;

// For taps of any magnitude: sums are infinite only if they exceed double precision. Throws Canceled.
[[nodiscard]] FilterFigures figuresOf(const Stencil& filter, const Control& control);

}  // namespace sscope
