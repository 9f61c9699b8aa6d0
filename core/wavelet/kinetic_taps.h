#pragma once
// Taps of the kinetic filter: the operator -1/2 d^2/dx^2 between scaling functions (L. Genovese et al., Daubechies
// wavelets as a basis set for density functional pseudopotential calculations, J. Chem. Phys. 129 (2008) 014109; the
// coefficients a_i after G. Beylkin, On the representation of operators in bases of compactly supported wavelets, SIAM
// J. Numer. Anal. 29 (1992) 1716; derivation in docs/manual/wavelets.md).

#include <vector>

namespace sscope {

// Below, scaling functions are not smooth enough.
inline constexpr int kKineticMinimumOrder = 3;

// The 4m - 3 weights t_i = -1/2 a_i, a_i = integral of phi(x) phi''(x - i) dx, at i = -(2m - 2)..2m - 2, in this order,
// of the scaling function phi with 2m taps, Daubechies' or a symlet's, which have the same; m = 8 gives BigDFT's 29.
// Symmetric; they sum to 0, and sum of i^2 t_i = -1, in units of the grid's spacing. Accurate to the last digits of
// double. Throws Error(Usage) unless kKineticMinimumOrder <= m <= kMagicMaximumOrder.
[[nodiscard]] std::vector<double> kineticTaps(int m);

}  // namespace sscope
