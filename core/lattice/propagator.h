#pragma once
// Quark propagators and what is made of them.

#include <vector>

#include "core/lattice/solver.h"

namespace sscope::lattice {

// C(t) = the sum over space of |S|^2, over the twelve source colors and spins. Adds one solution, whose source is at
// time `sourceTime`, to the sum (empty at first); C(0) is the time of the source.
void addToPionCorrelator(const Lattice& lattice, const SpinorField& solution, int sourceTime,
                         std::vector<double>& correlator);

// The effective mass at the middle of t and t + 1: m with C(t) / C(t + 1) = cosh(m (t - T/2)) / cosh(m (t + 1 - T/2));
// NaN where there is none. One element less than the correlator.
[[nodiscard]] std::vector<double> effectiveMass(const std::vector<double>& correlator);

}  // namespace sscope::lattice
