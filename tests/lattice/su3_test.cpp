#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/lattice.h"
#include "core/lattice/su3.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"

namespace sscope::lattice {

namespace {

double distance(const Matrix3& a, const Matrix3& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.element.size(); ++k) worst = test::larger(worst, std::abs(a.element[k] - b.element[k]));
  return worst;
}

Matrix3 someElement(std::uint64_t seed) { return hotStart(Lattice({1, 1, 1, 1}), seed).link(0, 2); }

}  // namespace

TEST_CASE("Random links are of the group and differ") {
  const GaugeField field = hotStart(Lattice({2, 3, 2, 2}), 7);
  for (const Matrix3& u : field.links()) CHECK(unitarityError(u) < 1e-14);
  CHECK(distance(field.link(0, 0), field.link(0, 1)) > 0.1);
  CHECK(distance(field.link(0, 0), field.link(1, 0)) > 0.1);
}

TEST_CASE("The third row follows from the first two") {
  const Matrix3 u = someElement(3);
  Matrix3 v = u;
  for (int j = 0; j < 3; ++j) v(2, j) = 5;
  rebuildThirdRow(v);
  CHECK(distance(u, v) < 1e-14);
}

TEST_CASE("Unitarity is judged") {
  Matrix3 u = someElement(4);
  u(1, 1) += 1e-3;
  CHECK(unitarityError(u) > 5e-4);
  CHECK(distance(reunitarized(u), someElement(4)) < 2e-3);
  CHECK(unitarityError(reunitarized(u)) < 1e-14);
  Matrix3 swapped = identity3();  // unitary, but of determinant -1
  swapped(0, 0) = -1;
  CHECK(unitarityError(swapped) > 1.9);
  u(0, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(unitarityError(u)));
}

TEST_CASE("The exponential of the algebra is in the group and inverts") {
  const Matrix3 x = antihermitianTraceless(3.0 * someElement(5));
  CHECK(std::abs(trace(x)) < 1e-14);
  CHECK(distance(adjoint(x), -1.0 * x) < 1e-14);
  CHECK(unitarityError(exponential(x)) < 1e-13);
  CHECK(distance(exponential(x) * exponential(-1.0 * x), identity3()) < 1e-13);
  Matrix3 diagonal;
  diagonal(0, 0) = 2;
  diagonal(1, 1) = Complex(0, 3);
  CHECK(distance(exponential(diagonal), [] {
          Matrix3 e;
          e(0, 0) = std::exp(2.0);
          e(1, 1) = std::exp(Complex(0, 3));
          e(2, 2) = 1;
          return e;
        }()) < 1e-13);
}

TEST_CASE("The trace of a product needs no product") {
  const Matrix3 a = someElement(1), b = someElement(2);
  CHECK(realTraceOfProduct(a, b) == Approx(trace(a * b).real()).epsilon(1e-14));
}

TEST_CASE("Neighbors of the lattice are each other's") {
  const Lattice lattice({3, 2, 1, 5});
  for (std::int64_t site = 0; site < lattice.volume(); ++site)
    for (int mu = 0; mu < kDirections; ++mu) {
      CHECK(lattice.backward(lattice.forward(site, mu), mu) == site);
      auto at = std::array<int, 4>{};
      for (int nu = 0; nu < kDirections; ++nu) at[static_cast<std::size_t>(nu)] = lattice.coordinate(site, nu);
      CHECK(lattice.site(at) == site);
      auto& along = at[static_cast<std::size_t>(mu)];
      along = (along + 1) % lattice.extent(mu);
      CHECK(lattice.site(at) == lattice.forward(site, mu));
    }
}

TEST_CASE("Lattices that cannot be are refused") {
  CHECK_THROWS_AS(Lattice({0, 2, 2, 2}), Error);
  CHECK_THROWS_AS(Lattice({2, 2, 2, -1}), Error);
  CHECK_THROWS_AS(Lattice({4096, 4096, 4096, 4096}), Error);
  CHECK_THROWS_AS(Lattice({5000, 1, 1, 1}), Error);
}

}  // namespace sscope::lattice
