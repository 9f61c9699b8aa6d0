#pragma once
// The parameters of Wilson's operator D = 1 - kappa H. Source: K. G. Wilson, Phys. Rev. D 10 (1974) 2445.

namespace sscope::lattice {

struct WilsonParameters {
  double kappa = 0.12;    // 1 / (2 m + 8)
  int timeBoundary = -1;  // what hops across the seam of time are multiplied with: -1 antiperiodic, 1 periodic
  bool adjoint = false;   // D^dagger: the signs in front of the gammas swapped
  bool operator==(const WilsonParameters&) const = default;
};

// Operations a site that every variant is charged with: spin projected, and 1 - kappa H.
inline constexpr double kDiracOperations = 1368;
// Compulsory bytes a site, float64: one spinor read and written, four links read, everything else reused.
inline constexpr double kDiracBytes = 960;

}  // namespace sscope::lattice
