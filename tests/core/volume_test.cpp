#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/volume/volume.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

TEST_CASE("volumes are dense, x fastest, components innermost") {
  Volume volume({3, 4, 5, 2}, ElementType::i16);
  const ArrayView view = volume.view();
  CHECK(view.stride == std::array<std::int64_t, 4>{2, 6, 24, 1});
  CHECK(view.elements() == 120);
  volume.elements<std::int16_t>()[static_cast<std::size_t>(view.offset(2, 3, 4, 1))] = -7;
  CHECK(volume.value(2, 3, 4, 1) == -7);
  CHECK(volume.elements<std::int16_t>().back() == -7);
  CHECK_THROWS_WITH(volume.elements<float>(), ContainsSubstring("i16"));
}

TEST_CASE("impossible volumes are refused") {
  CHECK_THROWS_AS(Volume({0, 1, 1, 1}, ElementType::u8), Error);
  CHECK_THROWS_AS(Volume({1, -1, 1, 1}, ElementType::u8), Error);
  CHECK_THROWS_WITH(Volume({1'000'000, 1'000'000, 1'000'000, 1}, ElementType::f64),
                    ContainsSubstring("1000000x1000000x1000000"));
  CHECK_THROWS_AS(Volume({1LL << 40, 1LL << 40, 1LL << 40, 1}, ElementType::f64), Error);
}

TEST_CASE("clones are independent") {
  Volume volume = test::randomVolume({5, 4, 3, 1}, ElementType::f32, 1);
  Volume copy = volume.clone();
  const float before = volume.elements<float>()[7];
  copy.elements<float>()[7] = before + 1;
  CHECK(volume.elements<float>()[7] == before);
}

TEST_CASE("positions follow spacing, direction and origin") {
  Geometry geometry;
  geometry.spacing = {0.5, 2, 3};
  geometry.origin = {10, 20, 30};
  geometry.direction = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  const auto p = geometry.toPhysical({2, 3, 4});
  CHECK(p[0] == 10 - 6);
  CHECK(p[1] == 20 + 1);
  CHECK(p[2] == 30 + 12);
}

TEST_CASE("lengths are converted to millimeters where a format knows no other unit") {
  Geometry geometry;
  geometry.spacing = {250, 500, 1000};
  geometry.origin = {-1000, 0, 3};
  geometry.unit = "um";
  const Geometry millimeters = inMillimeters(geometry);
  CHECK(millimeters.unit == "mm");
  CHECK(millimeters.spacing[0] == Approx(0.25));
  CHECK(millimeters.spacing[2] == Approx(1));
  CHECK(millimeters.origin[0] == Approx(-1));
  CHECK(inMillimeters(millimeters) == millimeters);
  geometry.unit = "furlong";
  CHECK(inMillimeters(geometry) == geometry);
}

TEST_CASE("statistics leave non-finite elements out and count them") {
  Volume volume({2, 3, 1, 1}, ElementType::f64);
  auto e = volume.elements<double>();
  e[0] = 1, e[1] = 2, e[2] = std::numeric_limits<double>::quiet_NaN(), e[3] = -5, e[4] = INFINITY, e[5] = 6;
  const VolumeStatistics stats = statistics(volume);
  CHECK(stats.minimum == -5);
  CHECK(stats.maximum == 6);
  CHECK(stats.mean == 1);
  CHECK(stats.nonFinite == 2);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(statistics(volume, {stop.get_token(), {}}), Canceled);
}

TEST_CASE("the mean of the largest doubles is one of them") {
  Volume volume({3, 1, 1, 1}, ElementType::f64);
  auto e = volume.elements<double>();
  constexpr double kMost = std::numeric_limits<double>::max();
  e[0] = e[1] = kMost, e[2] = -kMost / 2;
  CHECK(statistics(volume).mean == Approx(kMost / 2));
}

TEST_CASE("element types are named, sized and ranged") {
  for (const ElementType type : kElementTypes) CHECK(parseElementType(toString(type)) == type);
  CHECK_FALSE(parseElementType("u64"));
  CHECK(bytesOf(ElementType::u16) == 2);
  CHECK(highestOf(ElementType::i8) == 127);
  CHECK(lowestOf(ElementType::i32) == -2147483648.0);
  CHECK(isInteger(ElementType::u32));
  CHECK_FALSE(isInteger(ElementType::f32));
}
