#include "core/compare/result_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stop_token>

#include "core/base/error.h"
#include "core/compare/error_map.h"
#include "core/compare/lane_agreement.h"
#include "core/measure/accepted_error.h"
#include "tests/compare/race_scene.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using namespace sscope::compare;

namespace {

struct PairScene : RaceScene {
  PairScene() {
    addCopy();
    add(
        "wrong", [](const std::string&) { return 0.25; },
        [](const Box& region, std::span<const ArrayView> outputs) {
          if (region.begin[2] > 4 || region.end[2] <= 4) return;
          const ArrayView& out = outputs[0];
          out.as<float>()[out.offset(3 - region.begin[0], 5 - region.begin[1], 4 - region.begin[2])] += 0.5F;
        });
    wish.contenders = {{"opencl:0", "copy"}, {"opencl:1", "wrong"}, {"opencl:1", "copy"}, {"cuda:0", ""}};
  }
  ResultPair pair(const PairWish& of, const Control& control = {}) {
    return resultPair({engines, variants, gate}, wish, of, control);
  }
};

}  // namespace

TEST_CASE("a pair of results names both, the worst voxel, and what rounding explains there") {
  PairScene scene;
  SECTION("with the reference") {
    const ResultPair pair = scene.pair({1, {}, 0});
    CHECK(pair.names == std::array<std::string, 2>{"opencl:1 wrong", kReferenceName});
    REQUIRE(pair.agreement.worst);
    CHECK(pair.agreement.worst->voxel == std::array<std::int64_t, 3>{3, 5, 4});
    CHECK(pair.agreement.equal == pair.agreement.elements - 1);
    CHECK(pair.histogram.equal == pair.agreement.equal);
    REQUIRE(pair.accepted);
    // One product: 1e-6 of the element's magnitude.
    const double magnitude = std::abs(pair.agreement.worst->second);
    REQUIRE(pair.accepted->atWorst);
    CHECK(*pair.accepted->atWorst == Approx(1e-6 * magnitude).epsilon(1e-4));
    CHECK(pair.accepted->lowest <= *pair.accepted->atWorst);
    CHECK(pair.accepted->highest <= 1.0001e-6);
  }
  SECTION("of two contenders, each may be off") {
    const ResultPair pair = scene.pair({0, 1, 0});
    REQUIRE(pair.accepted);
    REQUIRE(pair.accepted->atWorst);
    CHECK(*pair.accepted->atWorst == Approx(2e-6 * std::abs(pair.agreement.worst->first)).epsilon(1e-4));
    CHECK(pair.agreement.worst->second - pair.agreement.worst->first == Approx(0.5));
  }
  SECTION("of two that are equal") {
    const ResultPair pair = scene.pair({0, 2, 0});
    CHECK_FALSE(pair.agreement.worst);
    CHECK(pair.histogram.equal == pair.agreement.elements);
    const ErrorMap map = errorMap(*pair.results[0], *pair.results[1], ErrorUnit::Absolute, {}, {});
    CHECK_FALSE(map.anyError);
  }
}

TEST_CASE("a pair that means nothing or cannot be computed is refused in a sentence") {
  PairScene scene;
  CHECK_THROWS_WITH(scene.pair({1, 1, 0}), ContainsSubstring("the same contender"));
  CHECK_THROWS_WITH(scene.pair({0, 1, 7}), ContainsSubstring("no output 8"));
  CHECK_THROWS_WITH(scene.pair({0, 3, 0}), ContainsSubstring("libcuda.so.1 not found"));
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(scene.pair({0, 1, 0}, {stop.get_token(), {}}), Canceled);
}

TEST_CASE("the map of errors is logarithmic, and what is broken lies above it") {
  Volume first({8, 4, 2, 2}, ElementType::f32), second({8, 4, 2, 2}, ElementType::f32);
  for (float& value : first.elements<float>()) value = 1;
  for (float& value : second.elements<float>()) value = 1;
  const auto set = [&](std::int64_t x, std::int64_t c, float value) {
    const ArrayView view = second.view();
    view.as<float>()[view.offset(x, 0, 0, c)] = value;
  };
  set(1, 0, 1 + 0x1p-10F);
  set(1, 1, 1 + 0x1p-7F);  // the worse component counts
  set(2, 0, 1 + 0x1p-20F);
  set(3, 1, std::numeric_limits<float>::quiet_NaN());
  const auto at = [](const ErrorMap& map, std::int64_t x) { return map.values.value(x, 0, 0); };
  const ErrorMap absolute = errorMap(first, second, ErrorUnit::Absolute, {}, {});
  CHECK(absolute.anyError);
  CHECK(absolute.values.shape() == VolumeShape{8, 4, 2, 1});
  CHECK(at(absolute, 1) == Approx(std::log10(0x1p-7)));
  CHECK(at(absolute, 2) == Approx(std::log10(0x1p-20)));
  CHECK(absolute.window == std::array<double, 2>{-7, -2});
  CHECK(at(absolute, 0) == -7);
  CHECK(at(absolute, 3) == -1);
  const ErrorMap units = errorMap(first, second, ErrorUnit::LastPlaces, {}, {});
  CHECK(at(units, 1) == Approx(std::log10(65536)));
  CHECK(at(units, 2) == Approx(std::log10(8)));
  CHECK(units.window == std::array<double, 2>{0, 5});
  CHECK_THROWS_AS(errorMap(first, Volume({8, 4, 2, 1}, ElementType::f32), ErrorUnit::Absolute, {}, {}), Error);
}

TEST_CASE("the histogram of differences has four bins to a power of ten") {
  Volume first({4, 1, 1, 1}, ElementType::f64), second({4, 1, 1, 1}, ElementType::f64);
  const double kNaN = std::numeric_limits<double>::quiet_NaN();
  const double a[] = {1, 1, kNaN, kNaN}, b[] = {1, 1.02, kNaN, 0};
  std::ranges::copy(a, first.elements<double>().begin());
  std::ranges::copy(b, second.elements<double>().begin());
  const DifferenceHistogram histogram = differenceHistogram(first.view(), second.view(), {});
  CHECK(histogram.equal == 2);
  CHECK(histogram.nonFinite == 1);
  const auto [begin, end] = histogram.filled();
  REQUIRE(end == begin + 1);
  CHECK(DifferenceHistogram::lowerEdge(begin) <= 0.02);
  CHECK(DifferenceHistogram::lowerEdge(end) > 0.02);
  CHECK(DifferenceHistogram::lowerEdge(end) / DifferenceHistogram::lowerEdge(begin) == Approx(std::pow(10, 0.25)));
  CHECK(toCsv(histogram) == "from,to,elements\n0,0,2\n0.0177828,0.0316228,1\nNaN,NaN,1\n");
  // Of every magnitude.
  CHECK(DifferenceHistogram::binOf(5e-324) < DifferenceHistogram::binOf(1.7e308));
  CHECK(DifferenceHistogram::binOf(1.7e308) < kDifferenceBins);
}

TEST_CASE("integers and results that are exact must be equal") {
  const Volume bytes = randomVolume({9, 7, 10, 1}, ElementType::u8, 1);
  const FilterWorkload workload({Stencil()}, Boundary::nearest, 0, bytes.spec(), ElementType::u8);
  const ConstArrayView input = bytes.view();
  for (const double accepted : acceptedErrors(workload, {&input, 1}, 0, {{0, 0, 0}, {9, 7, 10}}, {}, {}))
    CHECK(accepted == 0);
}
