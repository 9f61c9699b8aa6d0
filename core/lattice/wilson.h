#pragma once
// The parameters of Wilson's operator D = 1 - kappa H. Source: K. G. Wilson, Phys. Rev. D 10 (1974) 2445.

namespace sscope::lattice {

struct WilsonParameters {
  double kappa = 0.12;    // 1 / (2 m + 8)
  int timeBoundary = -1;  // factor of hops across the time boundary: -1 antiperiodic, 1 periodic
  bool adjoint = false;   // D^dagger: with the opposite signs of the gammas
  bool operator==(const WilsonParameters&) const = default;
};

// Operations counted per site for every variant: with spin projection, including 1 - kappa H.
inline constexpr double kDiracOperations = 1368;
// Compulsory bytes per site, float64: one spinor read and written, four links read, everything else reused.
inline constexpr double kDiracBytes = 960;

}  // namespace sscope::lattice
