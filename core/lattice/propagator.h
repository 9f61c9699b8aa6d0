#pragma once
// Correlators from quark propagators.

#include <vector>

#include "core/lattice/solver.h"

namespace sscope::lattice {

// C(t) = the sum over space of |S|^2, over the twelve source colors and spins. Adds one solution, whose source is at
// time `sourceTime`, to the sum (empty at first); C(0) is the time of the source.
void addToPionCorrelator(const Lattice& lattice, const SpinorField& solution, int sourceTime,
                         std::vector<double>& correlator);

}  // namespace sscope::lattice
