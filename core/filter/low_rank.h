#pragma once
// Dense taps as a sum of few separable terms, within the accepted error of results.

#include <memory>
#include <optional>
#include <vector>

#include "core/base/control.h"
#include "core/filter/stencil.h"
#include "core/workload/workload.h"

namespace sscope {

// |tap - sum of the terms there| <= remainder * |tap|, and the sum of the terms' magnitudes <= amplification * |tap|,
// for every tap. Where a tap is zero, so is every term.
struct LowRank {
  std::vector<SeparableTerm> terms;
  double remainder = 0, amplification = 1;
};

// With remainder <= tolerance, by crosses: the product of the plane and the line through the largest tap is subtracted
// until the remainder is small enough, and each plane is decomposed in the same way (Gaussian elimination with complete
// pivoting; for planes: L. Mirsky's low rank approximation by skeletons, S. Goreinov et al., Linear Algebra Appl. 261,
// 1997). Empty if that takes more than `most` terms, or if a tap is zero where a term is not.
[[nodiscard]] std::optional<LowRank> lowRank(const DenseTaps& taps, double tolerance, std::size_t most);

// The number of such crosses until the remainder of every tap is at most `tolerance` times the largest tap: for a plane
// the rank of the matrix, for a box an upper bound of the number of separable terms. 0 if all taps are 0; empty if it
// takes more than `most`, or if a tap is not finite. Throws Canceled.
[[nodiscard]] std::optional<std::size_t> crossRank(const DenseTaps& taps, double tolerance, std::size_t most,
                                                   const Control& control);

// The terms with which engines compute a dense filter: for all finite data, the error of every output is within the
// accepted error of a sum of its products (core/measure/verify.cpp).
struct LowRankSum {
  std::vector<SeparableTerm> terms;
  bool wide = false;  // terms cancel so much that single-precision data are summed in double precision
};
// For workloads of this precision. Null if there is no such sum, or if it takes more products than the dense sum; taps
// of rank one are a product of lines (factored()) and not such a sum.
[[nodiscard]] std::shared_ptr<const LowRankSum> lowRankSum(const DenseTaps& taps, Precision precision);

}  // namespace sscope
