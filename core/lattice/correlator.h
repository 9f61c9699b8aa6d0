#pragma once
// Correlators in time of quark propagators, their effective masses, and the correlator on unit links.

#include <vector>

#include "core/base/control.h"
#include "core/lattice/lattice.h"
#include "core/lattice/solver.h"
#include "core/lattice/wilson.h"

namespace sscope::lattice {

// C(t) = the sum over space of |S|^2, over the twelve source colors and spins. Adds one solution, whose source is at
// time `sourceTime`, to the sum (empty at first); C(0) is the time of the source.
void addToPionCorrelator(const Lattice& lattice, const SpinorField& solution, int sourceTime,
                         std::vector<double>& correlator);

// For a lattice periodic in time: the m with C(t) / C(t + 1) = cosh(m (t - T/2)) / cosh(m (t + 1 - T/2)).
[[nodiscard]] std::vector<double> effectiveMass(const std::vector<double>& correlator);
// ln(C(t) / C(t + 1)): the mass where the backward-propagating state is negligible; negative past the middle.
[[nodiscard]] std::vector<double> logarithmicMass(const std::vector<double>& correlator);

// The pion correlator on unit links, summed in momentum space: with p = 2 pi n / L (p_t = 2 pi (n + 1/2) / T where time
// is antiperiodic) and A = 1 - 2 kappa sum cos p, the propagator is (A - 2 i kappa sum gamma_mu sin p_mu) /
// (A^2 + 4 kappa^2 sum sin^2 p_mu). Infinite or NaN where a momentum is a zero mode. Throws Canceled.
[[nodiscard]] std::vector<double> freePionCorrelator(const Lattice& lattice, const WilsonParameters& parameters,
                                                     const Control& control);

}  // namespace sscope::lattice
