#pragma once
// Closed-form results for Wilson's operator on unit links.

#include <vector>

#include "core/base/control.h"
#include "core/lattice/lattice.h"
#include "core/lattice/wilson.h"

namespace sscope::lattice {

// The pion correlator on unit links, summed in momentum space: with p = 2 pi n / L (p_t = 2 pi (n + 1/2) / T where time
// is antiperiodic) and A = 1 - 2 kappa sum cos p, the propagator is (A - 2 i kappa sum gamma_mu sin p_mu) /
// (A^2 + 4 kappa^2 sum sin^2 p_mu). Infinite or NaN where a momentum is a zero mode. Throws Canceled.
[[nodiscard]] std::vector<double> freePionCorrelator(const Lattice& lattice, const WilsonParameters& parameters,
                                                     const Control& control);

}  // namespace sscope::lattice
