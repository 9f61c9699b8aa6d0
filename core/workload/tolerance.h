#pragma once
// How far from the reference an engine's output counts as right (docs/dev/decisions/003-error-bound.md).

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/volume/element_type.h"

namespace sscope {

// The accepted error of an element of a floating-point output, relative to its magnitude
// (Workload::referenceMagnitude). `certain`: what is accepted in any case.
//
// 17 unit roundoffs times the root of the number of terms is more than random roundings ever add up to, and the number
// of terms times the unit roundoff is what no roundings can exceed; the two meet at 282 terms. Roundings count as
// random where outputs are sums of sums, but not where each is one long sum, in which equal terms round alike.
[[nodiscard]] inline double acceptedNormError(ElementType type, std::int64_t terms, double certain = 0) {
  const double root = std::sqrt(static_cast<double>(terms));
  return std::max(type == ElementType::f64 ? 1e-13 : 1e-6 * root, certain);
}
[[nodiscard]] inline double acceptedElementError(ElementType type, std::int64_t terms, double certain = 0) {
  const double norm = acceptedNormError(type, terms, certain);
  return type == ElementType::f64 ? std::max(norm, 2e-15 * std::sqrt(static_cast<double>(terms))) : norm;
}

// The distance, relative to its magnitude, by which the sum behind an integer may be off in double precision: twice the
// bound for sums in any order, because both have errors.
[[nodiscard]] inline double acceptedTieError(std::int64_t terms) {
  return 2 * static_cast<double>(terms + 4) * 0x1p-53;
}

}  // namespace sscope
