#pragma once
// The Dirac matrices of DeGrand and Rossi: one element in every row.

#include <array>
#include <complex>

namespace sscope::lattice {

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
