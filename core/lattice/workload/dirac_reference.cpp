#include "core/lattice/workload/dirac_reference.h"

#include <algorithm>
#include <cmath>

#include "core/lattice/wilson.h"

namespace sscope {

using namespace lattice;

namespace {

// Arithmetic on the numbers themselves.
struct Exact {
  static Complex times(Complex a, Complex b) { return a * b; }
  static Complex signless(Complex a) { return a; }
};

// Arithmetic on magnitudes: terms are never negative.
struct Magnitude {
  static Complex signless(Complex a) { return {std::abs(a.real()), std::abs(a.imag())}; }
  static Complex times(Complex a, Complex b) {
    a = signless(a);
    b = signless(b);
    return {a.real() * b.real() + a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
};

template <class Arithmetic>
class Operator {
 public:
  Operator(const GaugeField& field, const WilsonParameters& parameters, std::span<const Complex> in)
      : field_(field), parameters_(parameters), in_(in) {}

  [[nodiscard]] SpinorAtSite at(std::int64_t x) const {
    const Lattice& lattice = field_.lattice();
    const double sign = parameters_.adjoint ? -1 : 1;
    SpinorAtSite out = spinorAt(x);
    for (Complex& value : out) value = Arithmetic::signless(value);
    for (int mu = 0; mu < kDirections; ++mu) {
      const std::int64_t ahead = lattice.forward(x, mu), behind = lattice.backward(x, mu);
      const bool last = mu == 3 && lattice.coordinate(x, mu) == lattice.extent(mu) - 1;
      const bool first = mu == 3 && lattice.coordinate(x, mu) == 0;
      const SpinorAtSite up = project(multiply(field_.link(x, mu), spinorAt(ahead)), mu, -sign);
      const SpinorAtSite down = project(multiply(adjoint(field_.link(behind, mu)), spinorAt(behind)), mu, sign);
      for (std::size_t k = 0; k < out.size(); ++k)
        out[k] += Arithmetic::times(-parameters_.kappa * (last ? parameters_.timeBoundary : 1), up[k]) +
                  Arithmetic::times(-parameters_.kappa * (first ? parameters_.timeBoundary : 1), down[k]);
    }
    return out;
  }

 private:
  [[nodiscard]] SpinorAtSite spinorAt(std::int64_t site) const {
    SpinorAtSite psi;
    for (std::size_t k = 0; k < psi.size(); ++k) psi[k] = in_[static_cast<std::size_t>(site) * kSpinorElements + k];
    return psi;
  }

  // (U psi)_color = sum over the colors.
  static SpinorAtSite multiply(const Matrix3& u, const SpinorAtSite& psi) {
    SpinorAtSite product{};
    for (int color = 0; color < kColors; ++color)
      for (int other = 0; other < kColors; ++other)
        for (int spin = 0; spin < kSpins; ++spin)
          product[static_cast<std::size_t>(kSpins * color + spin)] +=
              Arithmetic::times(u(color, other), psi[static_cast<std::size_t>(kSpins * other + spin)]);
    return product;
  }

  // (1 + sign gamma_mu) psi.
  static SpinorAtSite project(const SpinorAtSite& psi, int mu, double sign) {
    const Gamma& gamma = gammas()[static_cast<std::size_t>(mu)];
    SpinorAtSite result = psi;
    for (std::size_t color = 0; color < kColors; ++color)
      for (std::size_t spin = 0; spin < kSpins; ++spin)
        result[kSpins * color + spin] += Arithmetic::times(
            sign * gamma.value[spin], psi[kSpins * color + static_cast<std::size_t>(gamma.column[spin])]);
    return result;
  }

  const GaugeField& field_;
  const WilsonParameters& parameters_;
  std::span<const Complex> in_;
};

}  // namespace

SpinorAtSite diracReference(const GaugeField& field, const WilsonParameters& parameters, std::span<const Complex> in,
                            std::int64_t site) {
  return Operator<Exact>(field, parameters, in).at(site);
}

SpinorAtSite diracMagnitude(const GaugeField& field, const WilsonParameters& parameters, std::span<const Complex> in,
                            std::int64_t site) {
  return Operator<Magnitude>(field, parameters, in).at(site);
}

void diracReference(const GaugeField& field, const WilsonParameters& parameters, const SpinorField& in,
                    SpinorField& out) {
  out.resize(in.size());
  for (std::int64_t x = 0; x < field.lattice().volume(); ++x) {
    const SpinorAtSite value = diracReference(field, parameters, in, x);
    std::copy(value.begin(), value.end(), out.begin() + x * kSpinorElements);
  }
}

}  // namespace sscope
