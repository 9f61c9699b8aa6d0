#include "core/lattice/staples.h"

namespace sscope::lattice {

Matrix3 staples(const GaugeField& field, std::int64_t x, int mu) {
  const Lattice& lattice = field.lattice();
  const std::int64_t ahead = lattice.forward(x, mu);
  Matrix3 sum;
  for (int nu = 0; nu < kDirections; ++nu) {
    if (nu == mu) continue;
    // Up: U_nu(x + mu) U_mu(x + nu)^dagger U_nu(x)^dagger.
    sum += field.link(ahead, nu) * adjoint(field.link(x, nu) * field.link(lattice.forward(x, nu), mu));
    // Down: U_nu(x + mu - nu)^dagger U_mu(x - nu)^dagger U_nu(x - nu).
    const std::int64_t down = lattice.backward(x, nu);
    sum += adjoint(field.link(down, mu) * field.link(lattice.backward(ahead, nu), nu)) * field.link(down, nu);
  }
  return sum;
}

}  // namespace sscope::lattice
