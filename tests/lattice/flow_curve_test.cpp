// The curve of the flow, and the scales that are read off it.

#include <cmath>
#include <stop_token>

#include "core/base/error.h"
#include "core/lattice/job/flow_curve.h"
#include "core/lattice/observables.h"
#include "tests/lattice/configuration_support.h"
#include "tests/support/catch.h"

namespace sscope::lattice {

namespace {

// t^2 E = slope t + offset at these times.
std::vector<FlowCurvePoint> line(double slope, double offset, double step, double end) {
  std::vector<FlowCurvePoint> points;
  for (double t = 0; t < end + step / 2; t += step) {
    FlowCurvePoint point;
    point.time = t;
    point.cloverEnergy = t > 0 ? (slope * t + offset) / (t * t) : 0;
    points.push_back(point);
  }
  return points;
}

}  // namespace

TEST_CASE("t0 and w0 are where the curve says") {
  const auto points = line(0.25, 0.05, 0.1, 3);
  REQUIRE(scaleT0(points));
  CHECK(*scaleT0(points) == Approx(1.0));
  REQUIRE(scaleW0(points));
  CHECK(*scaleW0(points) == Approx(std::sqrt(1.2)));
  CHECK_FALSE(scaleT0(line(0.05, 0, 0.1, 2)));
  CHECK_FALSE(scaleW0(line(0.05, 0, 0.1, 2)));
}

TEST_CASE("a point of the curve is the flowed field's energy, charge and plaquette") {
  const GaugeField field = test::someField({4, 4, 4, 6});
  const FlowCurve curve = flowCurve(field, {0.02, 0.05}, {});
  REQUIRE(curve.points.size() == 4);  // the last step is shorter
  CHECK(curve.points.back().time == 0.05);
  GaugeField known = field;
  double time = 0;
  for (const FlowCurvePoint& point : curve.points) {
    if (point.time > time) known = flowed(std::move(known), point.time - time, kLongestFlowStep, {});
    time = point.time;
    const CloverSums sums = cloverSums(known);
    CHECK(point.cloverEnergy == Approx(sums.meanEnergy).epsilon(1e-12));
    CHECK(point.charge == Approx(sums.charge).margin(1e-12));
    CHECK(point.plaquette == Approx(meanPlaquette(known)).epsilon(1e-12));
    CHECK(point.plaquetteEnergy == Approx(36 * (1 - meanPlaquette(known))).epsilon(1e-12));
  }
  CHECK(curve.points.back().plaquetteEnergy < curve.points.front().plaquetteEnergy);
}

TEST_CASE("a curve that cannot be is refused, and a stop is heard") {
  const GaugeField field = test::someField({2, 2, 2, 2});
  for (const FlowCurveSettings& wrong :
       {FlowCurveSettings{0, 1}, {-0.1, 1}, {0.5, 0.1}, {1e-6, 1000}, {0.2, 3}, {1, 3}})
    CHECK_THROWS_AS(static_cast<void>(flowCurve(field, wrong, {})), Error);
  CHECK_NOTHROW(flowCurve(field, {0.15, 0.3}, {}));
  // A flow whose action rises has no scales.
  double charge = 0;
  const FlowingField rising{[&](double, const Control&) { ++charge; },
                            [&](const Control&) {
                              CloverSums sums;
                              sums.plaquette = 0.6 - 0.1 * charge;
                              sums.meanEnergy = charge;
                              return sums;
                            }};
  CHECK_THROWS_WITH(flowCurve(rising, {0.1, 1}, {}), Catch::Matchers::ContainsSubstring("the action rises"));
  std::stop_source stop;
  Control control;
  control.stop = stop.get_token();
  control.progress = [&](double fraction, std::string_view) {
    if (fraction > 0.3) stop.request_stop();
  };
  CHECK_THROWS_AS(static_cast<void>(flowCurve(field, {0.01, 1}, control)), Canceled);
}

}  // namespace sscope::lattice
