#pragma once
// Vectors of complex numbers, on all cores; sums do not depend on the number of threads.

#include "core/base/control.h"
#include "core/lattice/fields.h"

namespace sscope::lattice {

// sum of conj(a) b.
[[nodiscard]] Complex dot(const SpinorField& a, const SpinorField& b, const Control& control);
[[nodiscard]] double norm2(const SpinorField& a, const Control& control);
// y <- alpha x + y.
void addScaled(Complex alpha, const SpinorField& x, SpinorField& y, const Control& control);
// y <- x + beta y.
void scaleAdd(const SpinorField& x, Complex beta, SpinorField& y, const Control& control);
// In place: gamma_5 psi.
void applyGamma5(SpinorField& psi, const Control& control);

}  // namespace sscope::lattice
