#include "core/reference/dirac_reference.h"

#include "core/lattice/gamma.h"

namespace sscope {

using namespace lattice;

namespace {

using Spinor = std::array<Complex, kSpinorElements>;

Spinor spinorAt(const SpinorField& field, std::int64_t site) {
  Spinor psi;
  for (std::size_t k = 0; k < psi.size(); ++k) psi[k] = field[static_cast<std::size_t>(site) * kSpinorElements + k];
  return psi;
}

// (U psi)_color = sum over the colors.
Spinor multiply(const Matrix3& u, const Spinor& psi) {
  Spinor product{};
  for (int color = 0; color < kColors; ++color)
    for (int other = 0; other < kColors; ++other)
      for (int spin = 0; spin < kSpins; ++spin)
        product[static_cast<std::size_t>(kSpins * color + spin)] +=
            u(color, other) * psi[static_cast<std::size_t>(kSpins * other + spin)];
  return product;
}

// (1 + sign gamma_mu) psi.
Spinor project(const Spinor& psi, int mu, double sign) {
  const Gamma& gamma = gammas()[static_cast<std::size_t>(mu)];
  Spinor result = psi;
  for (std::size_t color = 0; color < kColors; ++color)
    for (std::size_t spin = 0; spin < kSpins; ++spin)
      result[kSpins * color + spin] +=
          sign * gamma.value[spin] * psi[kSpins * color + static_cast<std::size_t>(gamma.column[spin])];
  return result;
}

}  // namespace

void diracReference(const GaugeField& field, const WilsonParameters& parameters, const SpinorField& in,
                    std::int64_t begin, std::int64_t end, SpinorField& out) {
  const Lattice& lattice = field.lattice();
  const double sign = parameters.adjoint ? -1 : 1;
  for (std::int64_t x = begin; x < end; ++x) {
    Spinor sum{};
    for (int mu = 0; mu < kDirections; ++mu) {
      const std::int64_t ahead = lattice.forward(x, mu), behind = lattice.backward(x, mu);
      const bool last = mu == 3 && lattice.coordinate(x, mu) == lattice.extent(mu) - 1;
      const bool first = mu == 3 && lattice.coordinate(x, mu) == 0;
      const Spinor up = project(multiply(field.link(x, mu), spinorAt(in, ahead)), mu, -sign);
      const Spinor down = project(multiply(adjoint(field.link(behind, mu)), spinorAt(in, behind)), mu, sign);
      for (std::size_t k = 0; k < sum.size(); ++k)
        sum[k] += (last ? parameters.timeBoundary : 1.0) * up[k] + (first ? parameters.timeBoundary : 1.0) * down[k];
    }
    const Spinor center = spinorAt(in, x);
    for (std::size_t k = 0; k < sum.size(); ++k)
      out[static_cast<std::size_t>(x) * kSpinorElements + k] = center[k] - parameters.kappa * sum[k];
  }
}

}  // namespace sscope
