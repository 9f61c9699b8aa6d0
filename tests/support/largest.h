#pragma once
// The largest of many differences, without losing a NaN among them as std::max does.

#include <cmath>

namespace sscope::test {

// The larger one, and NaN if either is.
[[nodiscard]] inline double larger(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

}  // namespace sscope::test
