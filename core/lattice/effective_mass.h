#pragma once
// Masses read off a correlator C(t), t = 0 .. T - 1, at the middle of t and t + 1: T - 1 values, NaN where there is
// none.

#include <vector>

namespace sscope::lattice {

// Of a lattice that is periodic in time: m with C(t) / C(t + 1) = cosh(m (t - T/2)) / cosh(m (t + 1 - T/2)).
[[nodiscard]] std::vector<double> effectiveMass(const std::vector<double>& correlator);
// ln(C(t) / C(t + 1)): the mass where the state that travels backward in time does not matter yet; negative past the
// middle.
[[nodiscard]] std::vector<double> logarithmicMass(const std::vector<double>& correlator);

}  // namespace sscope::lattice
