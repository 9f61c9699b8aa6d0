// Wilson's operator against what is known of it.

#include <cmath>
#include <numbers>

#include "core/lattice/heat_bath.h"
#include "core/lattice/observables.h"
#include "core/lattice/vector_space.h"
#include "core/lattice/wilson.h"
#include "tests/lattice/lattice_support.h"
#include "tests/support/catch.h"

namespace sscope::lattice {

using test::applied;
using test::relativeDistance;

namespace {

const WilsonParameters kWilson{0.12, -1, false};

WilsonParameters adjointOf(WilsonParameters parameters) {
  parameters.adjoint = !parameters.adjoint;
  return parameters;
}

}  // namespace

TEST_CASE("The gammas anticommute, are Hermitian, and their product is gamma 5") {
  using Matrix4 = std::array<std::array<Complex, 4>, 4>;
  const auto matrix = [](int mu) {
    Matrix4 m{};
    const Gamma& gamma = gammas()[static_cast<std::size_t>(mu)];
    for (std::size_t row = 0; row < 4; ++row) m[row][static_cast<std::size_t>(gamma.column[row])] = gamma.value[row];
    return m;
  };
  const auto product = [](const Matrix4& a, const Matrix4& b) {
    Matrix4 c{};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t j = 0; j < 4; ++j) c[i][j] += a[i][k] * b[k][j];
    return c;
  };
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = 0; nu < 4; ++nu) {
      const Matrix4 ab = product(matrix(mu), matrix(nu)), ba = product(matrix(nu), matrix(mu));
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
          CHECK(ab[i][j] + ba[i][j] == Complex(mu == nu && i == j ? 2 : 0));
          CHECK(matrix(mu)[i][j] == std::conj(matrix(mu)[j][i]));
        }
    }
  const Matrix4 five = product(product(matrix(0), matrix(1)), product(matrix(2), matrix(3)));
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) CHECK(five[i][j] == Complex(i == j ? kGamma5[i] : 0));
}

TEST_CASE("The operator is gamma 5 Hermitian, and its adjoint is its adjoint") {
  const Lattice lattice({4, 2, 3, 4});
  const GaugeField field = hotStart(lattice, 11);
  const SpinorField a = hashSource(lattice, 1), b = hashSource(lattice, 2);
  SpinorField viaGamma5 = a;
  applyGamma5(viaGamma5, {});
  viaGamma5 = applied(field, kWilson, viaGamma5);
  applyGamma5(viaGamma5, {});
  CHECK(relativeDistance(viaGamma5, applied(field, adjointOf(kWilson), a)) < 1e-13);
  const Complex left = dot(b, applied(field, kWilson, a), {});
  const Complex right = dot(applied(field, adjointOf(kWilson), b), a, {});
  CHECK(std::abs(left - right) < 1e-12 * std::abs(left));
}

TEST_CASE("The operator and the observables do not see the gauge") {
  const Lattice lattice({4, 4, 2, 6});
  const GaugeField field = hotStart(lattice, 5);
  const auto gauge = test::randomGauge(lattice, 9);
  const GaugeField other = test::transformed(field, gauge);
  const SpinorField psi = hashSource(lattice, 3);
  CHECK(relativeDistance(applied(other, kWilson, test::transformed(psi, gauge)),
                         test::transformed(applied(field, kWilson, psi), gauge)) < 1e-12);
  CHECK(meanPlaquette(other) == Approx(meanPlaquette(field)).epsilon(1e-12));
  CHECK(std::abs(meanLinkTrace(other) - meanLinkTrace(field)) > 1e-3);
  for (const Observable observable : {Observable::Plaquette, Observable::Energy, Observable::Charge}) {
    const auto before = densities(field, observable, {}), after = densities(other, observable, {});
    for (std::size_t x = 0; x < before.size(); ++x) CHECK(std::abs(before[x] - after[x]) < 1e-11);
  }
  const auto before = polyakovLoops(field, {}), after = polyakovLoops(other, {});
  for (std::size_t x = 0; x < before.size(); ++x) CHECK(std::abs(before[x] - after[x]) < 1e-12);
}

TEST_CASE("A point source has a known image on any links") {
  const Lattice lattice({3, 4, 3, 5});
  const GaugeField field = hotStart(lattice, 2);
  const SpinorField image = applied(field, kWilson, pointSource(lattice, 17, 1, 2));
  CHECK(norm2(image, {}) == Approx(1 + 16 * kWilson.kappa * kWilson.kappa).epsilon(1e-13));
}

TEST_CASE("Plane waves on unit links are eigenvectors of the free operator") {
  const Lattice lattice({4, 6, 2, 8});
  const GaugeField field(lattice);
  for (const int boundary : {-1, 1}) {
    const WilsonParameters parameters{0.11, boundary, false};
    const std::array<int, 4> n{1, 2, 1, 3};
    std::array<double, 4> p{};
    double a = 1;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const double shift = mu == 3 && boundary == -1 ? 0.5 : 0;
      p[mu] = 2 * std::numbers::pi * (n[mu] + shift) / lattice.extents()[mu];
      a -= 2 * parameters.kappa * std::cos(p[mu]);
    }
    const std::array<Complex, 4> spin{1.0, Complex(0, 2), -0.5, Complex(1, 1)};
    std::array<Complex, 4> image{};  // (A + 2 i kappa sum gamma_mu sin p_mu) spin
    for (std::size_t s = 0; s < 4; ++s) {
      image[s] = a * spin[s];
      for (std::size_t mu = 0; mu < 4; ++mu)
        image[s] += Complex(0, 2 * parameters.kappa * std::sin(p[mu])) * gammas()[mu].value[s] *
                    spin[static_cast<std::size_t>(gammas()[mu].column[s])];
    }
    SpinorField wave = zeroSpinor(lattice), expected = zeroSpinor(lattice);
    for (std::int64_t x = 0; x < lattice.volume(); ++x) {
      double phase = 0;
      for (int mu = 0; mu < 4; ++mu) phase += p[static_cast<std::size_t>(mu)] * lattice.coordinate(x, mu);
      for (std::size_t k = 0; k < kSpinorElements; ++k) {
        const double color = 1.0 + static_cast<double>(k / kSpins);
        wave[static_cast<std::size_t>(x) * kSpinorElements + k] = color * std::polar(1.0, phase) * spin[k % kSpins];
        expected[static_cast<std::size_t>(x) * kSpinorElements + k] =
            color * std::polar(1.0, phase) * image[k % kSpins];
      }
    }
    CHECK(relativeDistance(applied(field, parameters, wave), expected) < 1e-13);
  }
}

}  // namespace sscope::lattice
