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

// Taps of the kinetic filter: the operator -1/2 d^2/dx^2 between scaling functions (L. Genovese et al., Daubechies
// wavelets as a basis set for density functional pseudopotential calculations, J. Chem. Phys. 129 (2008) 014109; the
// coefficients a_i after G. Beylkin, On the representation of operators in bases of compactly supported wavelets, SIAM
// J. Numer. Anal. 29 (1992) 1716; derivation in docs/manual/wavelets.md).

// Below this order, scaling functions are not smooth enough.
inline constexpr int kKineticMinimumOrder = 3;

// The 4m - 3 weights t_i = -1/2 a_i, a_i = integral of phi(x) phi''(x - i) dx, at i = -(2m - 2)..2m - 2, in this order,
// of the scaling function phi with 2m taps, Daubechies' or a symlet's, which have equal a_i; m = 8 gives BigDFT's 29.
// Symmetric; they sum to 0, and sum of i^2 t_i = -1, in units of the grid's spacing. Accurate to the last digits of
// double. Throws Error(Usage) unless kKineticMinimumOrder <= m <= kMagicMaximumOrder.
[[nodiscard]] std::vector<double> kineticTaps(int m);

}  // namespace sscope
