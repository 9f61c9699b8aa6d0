#include "core/compare/agreement.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <stop_token>

#include "core/base/error.h"
#include "core/compare/lane_agreement.h"
#include "tests/compare/race_scene.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using namespace sscope::compare;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

Agreement between(const Volume& first, const Volume& second) { return agreementOf(first.view(), second.view(), {}); }

// One element at (x, y, z) is set.
template <class T>
void plant(Volume& volume, std::int64_t x, std::int64_t y, std::int64_t z, T value) {
  const ArrayView view = volume.view();
  view.as<T>()[view.offset(x, y, z)] = value;
}

}  // namespace

TEST_CASE("units of the last place are those of the larger number and of the type") {
  CHECK(ulpsBetween(ElementType::f32, 1, 1) == 0);
  CHECK(ulpsBetween(ElementType::f32, 0.0, -0.0) == 0);
  CHECK(ulpsBetween(ElementType::f32, 1, 1 + 0x1p-23) == 1);
  CHECK(ulpsBetween(ElementType::f32, 1 - 0x1p-24, 1) == 0.5);
  CHECK(ulpsBetween(ElementType::f32, -3, -3 - 0x1p-20) == 4);
  CHECK(ulpsBetween(ElementType::f64, 1, 1 + 0x1p-52) == 1);
  CHECK(ulpsBetween(ElementType::f32, 0, 0x1p-149) == 1);  // the smallest number
  CHECK(ulpsBetween(ElementType::u8, 3, 250) == 247);
  CHECK(ulpsBetween(ElementType::f64, 1e308, -1e308) > 1e15);
  CHECK(std::isfinite(ulpsBetween(ElementType::f64, 1.7e308, -1.7e308)));
}

TEST_CASE("bins of units double, and their texts say what lies in them") {
  CHECK(ulpBin(0) == 0);
  CHECK(ulpBin(0.5) == 1);
  CHECK(ulpBin(1) == 1);
  CHECK(ulpBin(1.5) == 2);
  CHECK(ulpBin(2) == 2);
  CHECK(ulpBin(3) == 3);
  CHECK(ulpBin(4) == 3);
  CHECK(ulpBin(5) == 4);
  CHECK(ulpBin(1e300) == kUlpBins - 1);
  CHECK(ulpBinText(0) == "equal");
  CHECK(ulpBinText(1) == "1");
  CHECK(ulpBinText(2) == "2");
  CHECK(ulpBinText(3) == "3..4");
  CHECK(ulpBinText(4) == "5..8");
  CHECK(ulpBinText(kUlpBins - 1) == "more");
}

TEST_CASE("one wrong voxel of 256 x 256 x 256 is found") {
  const std::int64_t n = 256;
  Volume first({n, n, n, 1}, ElementType::u8), second({n, n, n, 1}, ElementType::u8);
  std::ranges::fill(first.elements<std::uint8_t>(), std::uint8_t{17});
  std::ranges::fill(second.elements<std::uint8_t>(), std::uint8_t{17});
  CHECK_FALSE(between(first, second).worst);
  CHECK(between(first, second).equal == n * n * n);
  plant<std::uint8_t>(first, 201, 3, 255, 18);
  const Agreement found = between(first, second);
  CHECK(found.equal == n * n * n - 1);
  REQUIRE(found.worst);
  CHECK(found.worst->voxel == std::array<std::int64_t, 3>{201, 3, 255});
  CHECK(found.worst->first == 18);
  CHECK(found.worst->second == 17);
  CHECK(found.maximum == 1);
  CHECK(found.counts[1] == 1);
}

TEST_CASE("norms, counts and the worst place are those of the differences") {
  Volume first({5, 3, 2, 2}, ElementType::f32), second({5, 3, 2, 2}, ElementType::f32);
  std::ranges::fill(first.elements<float>(), 2.0F);
  std::ranges::fill(second.elements<float>(), 2.0F);
  first.elements<float>()[7] = 5;   // x 3, component 1
  first.elements<float>()[59] = 6;  // the last one
  const Agreement found = between(first, second);
  CHECK(found.elements == 60);
  CHECK(found.equal == 58);
  CHECK(found.maximum == 4);
  CHECK(found.meanAbsolute == Approx(7.0 / 60));
  CHECK(found.rootMeanSquare == Approx(std::sqrt(25.0 / 60)));
  CHECK(found.relative == Approx(5 / std::sqrt(240.0)));
  REQUIRE(found.worst);
  CHECK(found.worst->voxel == std::array<std::int64_t, 3>{4, 2, 1});
  CHECK(found.worst->component == 1);
  CHECK(std::accumulate(found.counts.begin(), found.counts.end(), std::int64_t{0}) == 60);
}

TEST_CASE("what is not finite on one side alone is the worst") {
  Volume first({4, 1, 1, 1}, ElementType::f64), second({4, 1, 1, 1}, ElementType::f64);
  const double a[] = {kNaN, 1e300, kInfinity, 7}, b[] = {kNaN, -1e300, kInfinity, 7};
  std::ranges::copy(a, first.elements<double>().begin());
  std::ranges::copy(b, second.elements<double>().begin());
  const Agreement far = between(first, second);
  CHECK(far.equal == 3);
  CHECK(far.nonFinite == 0);
  CHECK(far.maximum == 2e300);
  CHECK(std::isfinite(far.rootMeanSquare));
  CHECK(far.relative == Approx(2));
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    first.elements<double>()[3] = bad;
    const Agreement found = between(first, second);
    CHECK(found.nonFinite == 1);
    REQUIRE(found.worst);
    CHECK(found.worst->voxel[0] == 3);
    CHECK(std::isinf(found.worst->ulps));
  }
}

TEST_CASE("results of other types or extents are not compared, and comparing can be canceled") {
  const Volume one({4, 3, 2, 1}, ElementType::f32), other({4, 2, 3, 1}, ElementType::f32),
      wide({4, 3, 2, 1}, ElementType::f64);
  CHECK_THROWS_AS(between(one, other), Error);
  CHECK_THROWS_AS(between(one, wide), Error);
  std::stop_source source;
  source.request_stop();
  CHECK_THROWS_AS(agreementOf(one.view(), one.view(), Control{source.get_token(), {}}), Canceled);
}

TEST_CASE("whole results of lanes are compared with a lane or with the reference") {
  RaceScene scene;
  scene.addCopy();
  scene.add(
      "crooked", [](const std::string&) { return 0.1; },
      [](const Box&, std::span<const ArrayView> outputs) { outputs[0].as<float>()[outputs[0].offset(6, 2, 5)] += 1; });
  scene.wish.contenders = {{"opencl:0", "copy"}, {"opencl:1", "crooked"}, {"cuda:0", ""}, {"opencl:1", "copy"}};
  const RaceTrack track{scene.engines, scene.variants, scene.gate};
  for (const bool reference : {false, true}) {
    const AgreementTable table =
        agreementsWith(track, scene.wish, reference ? std::nullopt : std::optional<std::size_t>(0), {});
    CHECK(table.base == (reference ? "the reference" : "opencl:0 copy"));
    REQUIRE(table.lanes.size() == (reference ? 4 : 3));
    const LaneAgreement& crooked = table.lanes[reference ? 1 : 0];
    CHECK(crooked.lane == "opencl:1 crooked");
    REQUIRE(crooked.outputs.size() == 1);
    REQUIRE(crooked.outputs[0].worst);
    CHECK(crooked.outputs[0].worst->voxel == std::array<std::int64_t, 3>{6, 2, 5});
    CHECK(crooked.outputs[0].equal == crooked.outputs[0].elements - 1);
    const LaneAgreement& absent = table.lanes[reference ? 2 : 1];
    CHECK(absent.outputs.empty());
    CHECK_THAT(absent.reason, ContainsSubstring("libcuda.so.1 not found"));
    CHECK_FALSE(table.lanes.back().outputs.at(0).worst);
    const std::string text = toText(table);
    CHECK_THAT(text, ContainsSubstring("(6, 2, 5)"));
    CHECK_THAT(toHtml(table), ContainsSubstring("(6, 2, 5)"));
    CHECK(toJson(table).at("lanes").at(reference ? 1 : 0).at("outputs").at(0).at("worst").at("voxel") ==
          nlohmann::json::array({6, 2, 5}));
  }
}
