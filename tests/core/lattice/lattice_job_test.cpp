// What the Lattice room computes: configurations by heat bath, fields as volumes, and a flow that keeps what it passed.

#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/job/flow_trail.h"
#include "core/lattice/job/lattice_job.h"
#include "core/lattice/wilson_flow.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

using namespace lattice;

namespace {

const Lattice kSites({4, 3, 2, 4});

std::shared_ptr<const GaugeField> roughField() { return std::make_shared<const GaugeField>(hotStart(kSites, 3)); }

}  // namespace

TEST_CASE("generating takes the steps of the heat bath and tells each of them") {
  GenerateSettings settings;
  settings.extents = {4, 4, 2, 2};
  settings.sweeps = 3;
  settings.seed = 5;
  settings.hot = true;
  std::vector<int> told;
  const GaugeField made = generateField(settings, {}, [&](int sweep, const GaugeField&) { told.push_back(sweep); });
  CHECK(told == std::vector<int>{1, 2, 3});
  GaugeField by_hand = hotStart(Lattice(settings.extents), 5);
  for (std::uint64_t sweep = 0; sweep < 3; ++sweep) heatBathSweep(by_hand, 6, 5, sweep, {});
  CHECK(made == by_hand);
  const Configuration described = describeGenerated(GaugeField(made), settings, {});
  CHECK(described.info.plaquette == meanPlaquette(made));
  CHECK(described.info.maxUnitarityError < 1e-12);
  CHECK_FALSE(described.info.checksummed);
  REQUIRE(described.info.notices.size() == 1);
  CHECK_THAT(described.info.notices[0], ContainsSubstring("3 sweeps from a hot start are likely too few"));
  settings.sweeps = -1;
  CHECK_THROWS_AS(static_cast<void>(generateField(settings, {})), Error);
}

TEST_CASE("a chain starts hot unless told otherwise, and one that is likely too short says so") {
  CHECK(GenerateSettings{}.hot);
  CHECK(thermalizationNotice({}).empty());
  CHECK_FALSE(thermalizationNotice({.hot = false}).empty());
  CHECK(thermalizationNotice({.hot = false, .sweeps = 300}).empty());
  CHECK_FALSE(thermalizationNotice({.sweeps = 30}).empty());
}

TEST_CASE("a field's volume has the time slices as components, and no unit") {
  const auto links = roughField();
  const LatticeField field = fieldOf(*links, Observable::Energy, 7, {});
  CHECK(field.flowSteps == 7);
  CHECK(field.volume->shape() == VolumeShape{4, 3, 2, 4});
  CHECK(field.volume->geometry().unit.empty());
  const std::vector<double> values = densities(*links, Observable::Energy, {});
  for (int t = 0; t < 4; ++t)
    CHECK(field.volume->value(3, 1, 1, t) == values[static_cast<std::size_t>(kSites.site({3, 1, 1, t}))]);
  CHECK(field.mean == Approx(cloverSums(*links).meanEnergy));
  const Volume slice = componentOf(*field.volume, 2);
  CHECK(slice.shape() == VolumeShape{4, 3, 2, 1});
  CHECK(slice.value(1, 2, 0) == field.volume->value(1, 2, 0, 2));
  CHECK(slice.geometry().unit.empty());
  CHECK_THROWS_AS(static_cast<void>(componentOf(*field.volume, 4)), Error);
}

TEST_CASE("a Polyakov loop's volume has its four parts") {
  const auto links = roughField();
  const LatticeField field = fieldOf(*links, Observable::Polyakov, 0, {});
  CHECK(field.volume->shape() == VolumeShape{4, 3, 2, kLoopParts});
  const std::vector<Complex> loops = polyakovLoops(*links, {});
  const Complex loop = loops[1 + 4 * (2 + 3 * 1)];
  const double parts[] = {loop.real(), loop.imag(), std::abs(loop), std::arg(loop)};
  for (int part = 0; part < kLoopParts; ++part) CHECK(field.volume->value(1, 2, 1, part) == parts[part]);
  // Unit links: 1 everywhere.
  const LatticeField plain = fieldOf(GaugeField(kSites), Observable::Polyakov, 0, {});
  CHECK(plain.mean == Approx(1));
  CHECK(plain.volume->value(0, 0, 0, static_cast<int>(LoopPart::Phase)) == 0);
}

TEST_CASE("the sums of the clover are those of its densities") {
  const auto links = roughField();
  double charge = 0, energy = 0;
  for (const double q : densities(*links, Observable::Charge, {})) charge += q;
  for (const double e : densities(*links, Observable::Energy, {})) energy += e;
  const CloverSums sums = cloverSums(*links);
  CHECK(sums.charge == Approx(charge).margin(1e-12));
  CHECK(sums.meanEnergy == Approx(energy / static_cast<double>(kSites.volume())));
}

TEST_CASE("a flow in pieces is the flow in one, and goes on from what it kept") {
  FlowTrail trail(roughField());
  int steps = 0;
  const auto counting = [&](int) { ++steps; };
  const auto ten = trail.at(10, {}, counting);
  CHECK(steps == 10);
  CHECK(*ten == flowed(*trail.at(0, {}), 0.1, kFlowStep, {}));
  const auto fourteen = trail.at(14, {}, counting);
  CHECK(steps == 14);
  const GaugeField whole = flowed(*trail.at(0, {}), 0.14, kFlowStep, {});
  CHECK(meanPlaquette(*fourteen) == Approx(meanPlaquette(whole)).epsilon(1e-12));
  CHECK(trail.at(7, {}, counting) != nullptr);
  CHECK(steps == 14);
  CHECK(meanPlaquette(*trail.at(7, {})) < meanPlaquette(*ten));
}

TEST_CASE("a flow that is ended keeps where it was") {
  FlowTrail trail(roughField(), 1);  // as little memory as can be
  const auto ending = [](int step) {
    if (step == 5) throw Canceled();
  };
  CHECK_THROWS_AS(static_cast<void>(trail.at(20, {}, ending)), Canceled);
  CHECK(trail.nearest(20) == 5);
  int steps = 0;
  const auto counting = [&](int) { ++steps; };
  static_cast<void>(trail.at(8, {}, counting));
  CHECK(steps == 3);
  CHECK(trail.kept() == 2);  // the start and the newest
  CHECK(trail.nearest(7) == 0);
}

TEST_CASE("a stop in the middle of a step loses that step only") {
  FlowTrail trail(roughField());
  for (const double part : {0.2, 0.5}) {  // before the second and before the third stage
    const int before = trail.nearest(100);
    std::stop_source stop;
    Control control;
    control.stop = stop.get_token();
    control.progress = [&](double fraction, std::string_view) {
      if (fraction > (4 + part) / (20 - before)) stop.request_stop();
    };
    CHECK_THROWS_AS(static_cast<void>(trail.at(20, control)), Canceled);
    CHECK(trail.nearest(100) == before + 4);
  }
  // What is left is what was whole: the flow goes on from there to the same bytes.
  std::vector<int> told;
  const auto end = trail.at(20, {}, [&](int step) { told.push_back(step); });
  REQUIRE_FALSE(told.empty());
  CHECK(told.front() == 9);
  CHECK(told.back() == 20);
  CHECK(*end == flowed(*trail.at(0, {}), 0.2, kFlowStep, {}));
}

TEST_CASE("a flow that goes back keeps where it was ended") {
  FlowTrail trail(roughField());
  const auto ending = [](int step) {
    if (step == 5) throw Canceled();
  };
  CHECK_THROWS_AS(static_cast<void>(trail.at(20, {}, ending)), Canceled);
  static_cast<void>(trail.at(2, {}));
  CHECK(trail.nearest(20) == 5);
  CHECK(*trail.at(5, {}) == flowed(*trail.at(0, {}), 0.05, kFlowStep, {}));
}

TEST_CASE("a flow's checkpoints stay within their memory and spread over it") {
  const auto start = roughField();
  const auto bytes = static_cast<std::int64_t>(start->links().size() * sizeof(Matrix3));
  FlowTrail trail(start, 6 * bytes);
  const auto all = [&](int step) { static_cast<void>(trail.field(step, {})); };
  static_cast<void>(trail.at(60, {}, all));
  CHECK(trail.kept() == 6);
  CHECK(trail.nearest(60) == 60);
  int widest = 0, last = 60;
  for (int step = 60; step > 0;) {
    step = trail.nearest(step - 1);
    widest = std::max(widest, last - step);
    last = step;
  }
  CHECK(widest <= 40);
}

TEST_CASE("a point of the flow's curve is computed from the field of its step") {
  FlowTrail trail(roughField());
  const auto field = trail.at(3, {});
  const FlowPoint point = trail.point(3, {});
  CHECK(point.time() == Approx(0.03));
  CHECK(point.scaled() == Approx(0.0009 * point.energy));
  CHECK(point.plaquette == Approx(meanPlaquette(*field)).epsilon(1e-13));
  CHECK(point.energy == Approx(cloverSums(*field).meanEnergy).epsilon(1e-13));
  CHECK(trail.knows(3));
  CHECK_FALSE(trail.knows(2));
}

}  // namespace sscope
