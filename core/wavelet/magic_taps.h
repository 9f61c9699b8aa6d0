#pragma once
// Taps of the magic filter: from the coefficients of a function in the basis of a symlet's scaling function to its
// values on the grid (Videau, Marangozova-Martin, Genovese, Deutsch, RR-LIG-032, 2013; derivation in
// docs/manual/wavelets.md).

#include <vector>

namespace sscope {

inline constexpr int kMagicMaximumOrder = 10;

// The 2m weights w_j at the positions j = -m..m-1, in this order, that integrate the scaling function of the symlet
// with 2m taps against every polynomial of degree < 2m exactly. m = 8 gives the paper's 16 taps at -8..+7. They sum to
// 1. Accurate to the last digit of double. Throws Error(Usage) unless 1 <= m <= kMagicMaximumOrder.
[[nodiscard]] std::vector<double> magicTaps(int m);

}  // namespace sscope
