#pragma once
// Effective masses from a correlator C(t), t = 0 .. T - 1, between t and t + 1: T - 1 values, NaN where undefined.

#include <vector>

namespace sscope::lattice {

// For a lattice periodic in time: the m with C(t) / C(t + 1) = cosh(m (t - T/2)) / cosh(m (t + 1 - T/2)).
[[nodiscard]] std::vector<double> effectiveMass(const std::vector<double>& correlator);
// ln(C(t) / C(t + 1)): the mass where the backward-propagating state is negligible; negative past the middle.
[[nodiscard]] std::vector<double> logarithmicMass(const std::vector<double>& correlator);

}  // namespace sscope::lattice
