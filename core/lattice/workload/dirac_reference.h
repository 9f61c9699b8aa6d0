#pragma once
// The double-precision reference of Wilson's operator, from the formula.

#include <array>
#include <span>

#include "core/lattice/fields.h"
#include "core/lattice/wilson.h"

namespace sscope {

using SpinorAtSite = std::array<lattice::Complex, lattice::kSpinorElements>;

// out(x) = in(x) - kappa sum_mu [(1 - s gamma_mu) U_mu(x) in(x + mu) + (1 + s gamma_mu) U_mu(x - mu)^dagger in(x -
// mu)]; s is -1 for the adjoint operator, else 1. Hops over the seam of time are multiplied by the boundary's sign.
// `in` holds the whole field.
[[nodiscard]] SpinorAtSite diracReference(const lattice::GaugeField& field, const lattice::WilsonParameters& parameters,
                                          std::span<const lattice::Complex> in, std::int64_t site);
// The same sums over |.| |.| of real numbers, separately for real and imaginary parts.
[[nodiscard]] SpinorAtSite diracMagnitude(const lattice::GaugeField& field, const lattice::WilsonParameters& parameters,
                                          std::span<const lattice::Complex> in, std::int64_t site);

// The whole field.
void diracReference(const lattice::GaugeField& field, const lattice::WilsonParameters& parameters,
                    const lattice::SpinorField& in, lattice::SpinorField& out);

}  // namespace sscope
