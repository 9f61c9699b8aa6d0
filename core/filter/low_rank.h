#pragma once
// Dense taps as a sum of few separable terms, within what results are judged by.

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

// With remainder <= tolerance, by crosses: the plane through the largest tap times the line through it is taken away
// until little enough is left, and each plane is taken apart in the same way (Gaussian elimination with complete
// pivoting; for planes: L. Mirsky's low rank approximation by skeletons, S. Goreinov et al., Linear Algebra Appl. 261,
// 1997). Nothing if that takes more than `most` terms, or if a tap is zero where a term is not.
[[nodiscard]] std::optional<LowRank> lowRank(const DenseTaps& taps, double tolerance, std::size_t most);

// How many such crosses it takes until nothing above `tolerance` times the largest tap is left of any tap: for a plane
// the rank of the matrix, for a box an upper bound of the number of separable terms. 0 for taps that are all 0; nothing
// if it takes more than `most`, or if a tap is not finite. Throws Canceled.
[[nodiscard]] std::optional<std::size_t> crossRank(const DenseTaps& taps, double tolerance, std::size_t most,
                                                   const Control& control);

// How engines compute a dense filter so: every output is off by no more than is accepted of any sum of its products
// (core/measure/verify.cpp), whatever the data are, as long as they are finite.
struct LowRankSum {
  std::vector<SeparableTerm> terms;
  bool wide = false;  // terms cancel so far that data of single precision are summed in double precision
};
// For workloads of this precision. Null where there is none, or where it takes more products than the dense sum; taps
// of rank one are a product of lines (factored()) and no such sum.
[[nodiscard]] std::shared_ptr<const LowRankSum> lowRankSum(const DenseTaps& taps, Precision precision);

}  // namespace sscope
