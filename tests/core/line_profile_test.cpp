#include "core/volume/line_profile.h"

#include <cmath>
#include <limits>

#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

// Linear along every axis, in every component.
Volume ramp(ElementType type = ElementType::f32) {
  return test::filledVolume({9, 8, 7, 2}, type,
                            [](auto x, auto y, auto z, int c) { return 2 * x + 3 * y + 5 * z + 7 * c; });
}

}  // namespace

TEST_CASE("the profile of a ramp is the ramp, across every axis and for every type") {
  const ElementType type = GENERATE(from_range(std::begin(kElementTypes), std::end(kElementTypes)));
  const Volume volume = ramp(type);
  const std::array<double, 3> slope{2, 3, 5};
  for (const std::size_t axis : {0U, 1U, 2U}) {
    const auto [a, b] = axesOfSlice(axis);
    const ProfileLine line{axis, {0.25, 6}, {5.75, 1.5}};
    const auto points = profilePoints(line);
    const auto values = profileValues(volume, 3, axis, points, 1, ProfileSampling::Linear);
    REQUIRE(values.size() == points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      CAPTURE(axis, i);
      CHECK(values[i] == Approx(slope[a] * points[i][0] + slope[b] * points[i][1] + 3 * slope[axis] + 7));
    }
  }
}

TEST_CASE("points go from end to end in steps of at most half a voxel, and distances count the spacing") {
  const ProfileLine line{1, {1, 2}, {4, 6}};  // along x and z
  const auto points = profilePoints(line);
  CHECK(points.size() == 9);
  CHECK(points.front() == line.from);
  CHECK(points.back() == line.to);
  for (std::size_t i = 1; i < points.size(); ++i) CHECK(points[i][1] - points[i - 1][1] <= 0.5);
  CHECK(profileDistance(line, points.back(), {1, 1, 1}) == Approx(5));
  CHECK(profileDistance(line, points.back(), {2, 100, 0.5}) == Approx(std::hypot(6, 2)));
  CHECK(profileDistance(line, points.front(), {2, 100, 0.5}) == 0);
  CHECK(profilePoints({2, {3, 3}, {3, 3}}).size() == 2);
  CHECK(profilePoints({2, {0, 0}, {1e6, 0}}).size() == 4097);
}

TEST_CASE("nearest takes a voxel's own value, edges and components that are not there the last one") {
  const Volume volume = ramp();
  const std::vector<SlicePoint> points{{1.4, 2.6}, {-3, 99}, {8, 7}};
  CHECK(profileValues(volume, 0, 2, points, 0, ProfileSampling::Nearest) ==
        std::vector<double>{2 * 1 + 3 * 3, 3 * 7, 2 * 8 + 3 * 7});
  CHECK(profileValues(volume, 0, 2, points, 5, ProfileSampling::Linear)[2] == 2 * 8 + 3 * 7 + 7);
  CHECK(profileValues(volume, 0, 2, points, -1, ProfileSampling::Linear)[2] == 2 * 8 + 3 * 7 + 3.5);
  Volume one({1, 1, 1, 1}, ElementType::f64);
  one.elements<double>()[0] = 4;
  CHECK(profileValues(one, 0, 0, {{0, 0}, {0.5, -2}}, 0, ProfileSampling::Linear) == std::vector<double>{4, 4});
}

TEST_CASE("what is not finite stays where it is") {
  Volume row({3, 1, 1, 1}, ElementType::f32);
  row.elements<float>()[0] = 1;
  row.elements<float>()[1] = std::numeric_limits<float>::infinity();
  row.elements<float>()[2] = 5;
  const auto values = profileValues(row, 0, 2, {{0, 0}, {1, 0}, {2, 0}, {0.5, 0}}, 0, ProfileSampling::Linear);
  CHECK(values[0] == 1);
  CHECK(std::isinf(values[1]));
  CHECK(values[2] == 5);
  CHECK_FALSE(std::isfinite(values[3]));
}
