#pragma once
// Wilson's operator: its parameters and the Dirac matrices. Source: K. G. Wilson, Phys. Rev. D 10 (1974) 2445.

#include <array>
#include <complex>

namespace sscope::lattice {

// The parameters of D = 1 - kappa H.
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

// The Dirac matrices of DeGrand and Rossi: one element in every row.
struct Gamma {
  std::array<int, 4> column;                  // of the one element in each row
  std::array<std::complex<double>, 4> value;  // 1, -1, i or -i
};

// gamma_x, gamma_y, gamma_z, gamma_t.
[[nodiscard]] inline const std::array<Gamma, 4>& gammas() {
  using namespace std::complex_literals;
  static const std::array<Gamma, 4> all{{{{3, 2, 1, 0}, {1i, 1i, -1i, -1i}},
                                         {{3, 2, 1, 0}, {-1.0, 1.0, 1.0, -1.0}},
                                         {{2, 3, 0, 1}, {1i, -1i, -1i, 1i}},
                                         {{2, 3, 0, 1}, {1.0, 1.0, 1.0, 1.0}}}};
  return all;
}

// gamma_5 = gamma_x gamma_y gamma_z gamma_t = diag(1, 1, -1, -1).
inline constexpr std::array<double, 4> kGamma5{1, 1, -1, -1};

}  // namespace sscope::lattice
