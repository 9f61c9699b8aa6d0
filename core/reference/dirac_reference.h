#pragma once
// The double-precision truth for Wilson's operator, from the formula.

#include "core/base/control.h"
#include "core/lattice/fields.h"
#include "core/lattice/wilson.h"

namespace sscope {

// out(x) = in(x) - kappa sum_mu [(1 - s gamma_mu) U_mu(x) in(x + mu) + (1 + s gamma_mu) U_mu(x - mu)^dagger in(x - mu)]
// for the sites begin <= x < end; s is -1 for the adjoint operator, else 1. Hops over the seam of time are multiplied
// by the boundary's sign.
void diracReference(const lattice::GaugeField& field, const lattice::WilsonParameters& parameters,
                    const lattice::SpinorField& in, std::int64_t begin, std::int64_t end, lattice::SpinorField& out);

}  // namespace sscope
