// What changes gauge fields: the heat bath and the flow.

#include <tbb/global_control.h>

#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/lattice/fields.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/observables.h"
#include "core/lattice/wilson_flow.h"
#include "tests/support/catch.h"

namespace sscope::lattice {

TEST_CASE("Staples complete the plaquettes") {
  const GaugeField field = hotStart(Lattice({3, 4, 2, 5}), 1);
  double sum = 0;
  for (std::int64_t x = 0; x < field.lattice().volume(); ++x)
    for (int mu = 0; mu < kDirections; ++mu) sum += realTraceOfProduct(field.link(x, mu), staples(field, x, mu));
  // Every plaquette is seen from each of its four links.
  CHECK(sum / (4 * 6 * 3 * static_cast<double>(field.lattice().volume())) ==
        Approx(meanPlaquette(field)).epsilon(1e-12));
}

TEST_CASE("The heat bath at beta 6 finds the known plaquette") {
  GaugeField field(Lattice({8, 8, 8, 8}));
  double sum = 0;
  constexpr int kThermalization = 30, kMeasured = 60;
  for (int sweep = 0; sweep < kThermalization + kMeasured; ++sweep) {
    heatBathSweep(field, 6, 42, static_cast<std::uint64_t>(sweep), {});
    if (sweep >= kThermalization) sum += meanPlaquette(field);
  }
  CHECK(std::abs(sum / kMeasured - 0.5937) < 0.001);
  for (const Matrix3& u : field.links()) REQUIRE(unitarityError(u) < 1e-13);
}

TEST_CASE("Strong coupling: the plaquette is beta / 18 to leading order") {
  GaugeField field = hotStart(Lattice({4, 4, 4, 4}), 3);
  double sum = 0;
  for (int sweep = 0; sweep < 140; ++sweep) {
    heatBathSweep(field, 0.9, 3, static_cast<std::uint64_t>(sweep), {});
    if (sweep >= 20) sum += meanPlaquette(field) / 120;
  }
  CHECK(sum == Approx(0.9 / 18).margin(0.004));
}

TEST_CASE("The same seed gives the same bytes, another one others") {
  for (const auto& extents : {std::array<int, 4>{4, 4, 2, 4}, std::array<int, 4>{3, 4, 2, 4}}) {
    const Lattice lattice(extents);
    GaugeField a(lattice), b(lattice), c(lattice);
    heatBathSweep(a, 5.7, 1, 0, {});
    heatBathSweep(b, 5.7, 1, 0, {});
    heatBathSweep(c, 5.7, 2, 0, {});
    CHECK(a == b);
    CHECK_FALSE(a == c);
  }
}

TEST_CASE("Random links depend on the seed alone, and their making hears a stop") {
  const Lattice lattice({6, 6, 6, 6});  // several pieces of work
  GaugeField one;
  {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
    one = hotStart(lattice, 4);
  }
  CHECK(hotStart(lattice, 4) == one);
  CHECK_FALSE(hotStart(lattice, 5) == one);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(hotStart(lattice, 4, {stop.get_token(), {}}), Canceled);
  CHECK_THROWS_AS(GaugeField(lattice, {stop.get_token(), {}}), Canceled);
  CHECK_THROWS_AS(zeroSpinor(lattice, {stop.get_token(), {}}), Canceled);
  CHECK(GaugeField(lattice).links().size() == 6 * 6 * 6 * 6 * 4);
}

TEST_CASE("The flow lowers the action and leaves unit links alone") {
  GaugeField field(Lattice({4, 4, 4, 4}));
  CHECK(flowed(field, 0.5, 0.05, {}) == field);
  for (std::uint64_t sweep = 0; sweep < 3; ++sweep) heatBathSweep(field, 6, 1, sweep, {});
  double before = meanPlaquette(field);
  for (int k = 0; k < 3; ++k) {
    field = flowed(std::move(field), 0.1, kFlowStep, {});
    const double after = meanPlaquette(field);
    CHECK(after > before);
    before = after;
  }
  CHECK(unitarityError(field.link(5, 2)) < 1e-12);
}

TEST_CASE("The flow is of third order") {
  GaugeField field(Lattice({4, 4, 4, 4}));
  for (std::uint64_t sweep = 0; sweep < 5; ++sweep) heatBathSweep(field, 6, 1, sweep, {});
  const double fine = meanPlaquette(flowed(field, 0.4, 0.0025, {}));
  const double error1 = std::abs(meanPlaquette(flowed(field, 0.4, 0.1, {})) - fine);
  const double error2 = std::abs(meanPlaquette(flowed(field, 0.4, 0.05, {})) - fine);
  CHECK(error1 / error2 > 6);
  CHECK(error1 / error2 < 12);
}

TEST_CASE("Flow times and betas that make no sense are refused, and a stop is heard") {
  GaugeField field(Lattice({2, 2, 2, 2}));
  CHECK_THROWS_AS(flowed(field, -1, 0.01, {}), Error);
  CHECK_THROWS_AS(flowed(field, std::nan(""), 0.01, {}), Error);
  CHECK_THROWS_AS(flowed(field, 1, 0, {}), Error);
  CHECK_THROWS_AS(heatBathSweep(field, -1, 0, 0, {}), Error);
  std::stop_source stop;
  stop.request_stop();
  Control control;
  control.stop = stop.get_token();
  CHECK_THROWS_AS(flowed(field, 1, 0.01, control), Canceled);
  CHECK_THROWS_AS(heatBathSweep(field, 6, 0, 0, control), Canceled);
}

TEST_CASE("Fields become volumes, one time slice or all") {
  const GaugeField field = hotStart(Lattice({3, 4, 2, 5}), 1);
  const std::vector<double> values = densities(field, Observable::Plaquette, {});
  CHECK(std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()) ==
        Approx(6 * (1 - meanPlaquette(field))).epsilon(1e-12));
  const Volume all = observableVolume(field, Observable::Plaquette, kAllTimeSlices, {});
  const Volume one = observableVolume(field, Observable::Plaquette, 3, {});
  CHECK(all.shape() == VolumeShape{3, 4, 2, 5});
  CHECK(one.shape() == VolumeShape{3, 4, 2, 1});
  CHECK(one.value(1, 2, 1) == all.value(1, 2, 1, 3));
  CHECK(one.value(1, 2, 1) == values[static_cast<std::size_t>(field.lattice().site({1, 2, 1, 3}))]);
  CHECK(observableVolume(field, Observable::Polyakov, 0, {}).shape() == VolumeShape{3, 4, 2, 2});
  CHECK_THROWS_AS(observableVolume(field, Observable::Energy, 5, {}), Error);
  CHECK_THROWS_AS(observableNamed("spin"), Error);
}

}  // namespace sscope::lattice
