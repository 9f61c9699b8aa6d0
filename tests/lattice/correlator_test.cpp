#include <cmath>

#include "core/base/error.h"
#include "core/lattice/correlator.h"
#include "tests/support/catch.h"

namespace sscope::lattice {

TEST_CASE("The effective mass of a cosh is its mass") {
  for (const int times : {8, 15, 16}) {
    std::vector<double> correlator;
    for (int t = 0; t < times; ++t) correlator.push_back(3 * std::cosh(0.7 * (t - times / 2.0)));
    const std::vector<double> masses = effectiveMass(correlator);
    REQUIRE(masses.size() == static_cast<std::size_t>(times - 1));
    for (int t = 0; t + 1 < times; ++t) {
      INFO("T " << times << ", t " << t);
      // In the middle of an odd number both neighbors are equal: no mass can be read off.
      if (2 * t + 1 == times)
        CHECK(std::isnan(masses[static_cast<std::size_t>(t)]));
      else
        CHECK(masses[static_cast<std::size_t>(t)] == Approx(0.7).epsilon(1e-9));
    }
  }
}

TEST_CASE("Where the ratio fits no mass there is none") {
  const std::vector<double> masses = effectiveMass({1, -1, 2, 1});
  CHECK(std::isnan(masses[0]));                 // changes its sign
  CHECK(std::isnan(masses[1]));                 // changes it again
  CHECK(std::isnan(effectiveMass({1, 2})[0]));  // grows toward the middle
  CHECK(std::isnan(effectiveMass({1, 0, 0})[0]));
  CHECK(effectiveMass({}).empty());
  CHECK(effectiveMass({5}).empty());
}

TEST_CASE("The logarithmic mass of an exponential is its mass") {
  std::vector<double> correlator;
  for (int t = 0; t < 6; ++t) correlator.push_back(2 * std::exp(-0.4 * t));
  for (const double mass : logarithmicMass(correlator)) CHECK(mass == Approx(0.4).epsilon(1e-12));
  CHECK(std::isnan(logarithmicMass({1, -1})[0]));
  CHECK(std::isnan(logarithmicMass({1, 0})[0]));
  CHECK(logarithmicMass({}).empty());
}

TEST_CASE("The free pion correlator in closed form is the known one") {
  const std::vector<double> correlator = freePionCorrelator(Lattice({4, 4, 4, 8}), {0.11, -1, false}, {});
  const std::vector<double> known{14.375349357663, .77604657133790, .17341591811124, .069104941616893,
                                  .047555928050247};
  REQUIRE(correlator.size() == 8);
  for (std::size_t t = 0; t < known.size(); ++t) CHECK(correlator[t] == Approx(known[t]).epsilon(1e-12));
  for (std::size_t t = 1; t < 4; ++t) CHECK(correlator[8 - t] == Approx(correlator[t]).epsilon(1e-12));
}

TEST_CASE("The mass of the free correlator falls to that of its lightest state") {
  // Two quarks at rest, each with the energy ln(1 + m), m = 1 / 2 kappa - 4.
  const double kappa = 0.11, quark = std::log(1 + (1 / (2 * kappa) - 4));
  const std::vector<double> masses = effectiveMass(freePionCorrelator(Lattice({4, 4, 4, 64}), {kappa, -1, false}, {}));
  CHECK(masses[24] == Approx(2 * quark).epsilon(1e-6));
  CHECK(masses[3] > masses[10]);
}

TEST_CASE("The free correlator can be stopped") {
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(freePionCorrelator(Lattice({4, 4, 4, 4}), {}, {stop.get_token(), {}}), Canceled);
}

}  // namespace sscope::lattice
