// Windows of order statistics and their reference, against a sorted copy.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/filter/family.h"
#include "core/filter/workload/filter_workload.h"
#include "core/measure/verify.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

std::vector<double> medians(const Operator& op, const Volume& volume, Boundary boundary, double constant = 0) {
  const FilterWorkload workload({op}, boundary, constant, volume.spec(), ElementType::f64);
  const ConstArrayView in = volume.view();
  const VolumeShape& s = volume.shape();
  std::vector<double> values(static_cast<std::size_t>(s.elements()));
  workload.reference({&in, 1}, 0, {{0, 0, 0}, {s.nx, s.ny, s.nz}}, values, {});
  return values;
}

// Of the formula, once more.
double sortedMiddle(const RankWindow& window, const Volume& in, Boundary boundary, double constant,
                    const std::array<std::int64_t, 3>& at, int c) {
  std::vector<double> seen;
  for (const auto& member : window.members) {
    std::array<std::int64_t, 3> place{};
    bool outside = false;
    const std::array<std::int64_t, 3> extent{in.shape().nx, in.shape().ny, in.shape().nz};
    for (std::size_t a = 0; a < 3; ++a) {
      place[a] = boundaryIndex(at[a] + member[a] - window.anchor[a], extent[a], boundary);
      outside = outside || place[a] < 0;
    }
    seen.push_back(outside ? constant : in.value(place[0], place[1], place[2], c));
  }
  std::sort(seen.begin(), seen.end());
  return seen[seen.size() / 2];
}

}  // namespace

TEST_CASE("windows of medians have the voxels of their shape") {
  CHECK(medianWindow(WindowShape::Box, 5, 3).count() == 125);
  CHECK(medianWindow(WindowShape::Box, 5, 2).count() == 25);
  CHECK(medianWindow(WindowShape::Box, 15, 3).count() == 3375);
  CHECK(medianWindow(WindowShape::Cross, 7, 3).count() == 19);
  CHECK(medianWindow(WindowShape::Cross, 7, 2).count() == 13);
  CHECK(medianWindow(WindowShape::Ball, 3, 3).count() == 7);   // a cross
  CHECK(medianWindow(WindowShape::Ball, 5, 2).count() == 13);  // x^2 + y^2 <= 4
  CHECK(medianWindow(WindowShape::Ball, 5, 3).count() == 33);
  CHECK(medianWindow(WindowShape::Ball, 7, 3).count() == 123);
  for (const WindowShape shape : {WindowShape::Box, WindowShape::Ball, WindowShape::Cross})
    for (std::int64_t size = 3; size <= kLargestWindow; size += 2)
      for (const int dimensions : {2, 3}) {
        const RankWindow window = medianWindow(shape, size, dimensions);
        CHECK(window.count() % 2 == 1);
        CHECK(window.rank == window.count() / 2);
        CHECK(window.size[2] == (dimensions == 3 ? size : 1));
        auto members = window.members;
        std::sort(members.begin(), members.end());
        CHECK(std::adjacent_find(members.begin(), members.end()) == members.end());
      }
}

TEST_CASE("sizes of windows are odd and not larger than the largest") {
  CHECK_THROWS_AS(medianWindow(WindowShape::Box, 4, 3), Error);
  CHECK_THROWS_AS(medianWindow(WindowShape::Box, 17, 3), Error);
  CHECK_THROWS_AS(medianWindow(WindowShape::Box, 0, 3), Error);
  CHECK_THROWS_WITH(parseFilterSpec("median:size=4"), Catch::Matchers::ContainsSubstring("an odd number from 3 to 15"));
  CHECK_THROWS_AS(parseFilterSpec("median:size=17"), Error);
  CHECK_THROWS_AS(parseFilterSpec("median:shape=disk"), Error);
  CHECK_THROWS_AS(makeStencil(parseFilterSpec("median"), {}), Error);
}

TEST_CASE("the reference of the median is the middle of what it reads, sorted") {
  const Volume volume = test::randomVolume({6, 5, 4, 2}, ElementType::i16, 5);
  for (const char* spec : {"median", "median:size=5,shape=ball", "median:size=7,shape=cross"})
    for (const Boundary boundary : kBoundaries) {
      const Operator op = makeOperator(parseFilterSpec(spec), {});
      const std::vector<double> values = medians(op, volume, boundary, 17);
      std::size_t at = 0;
      for (std::int64_t z = 0; z < 4; ++z)
        for (std::int64_t y = 0; y < 5; ++y)
          for (std::int64_t x = 0; x < 6; ++x)
            for (int c = 0; c < 2; ++c, ++at)
              REQUIRE(values[at] == sortedMiddle(*op.window(), volume, boundary, 17, {x, y, z}, c));
    }
}

TEST_CASE("medians remove a speckle, keep an edge, and are NaN where they read NaN") {
  Volume volume({9, 9, 9, 1}, ElementType::f64);
  for (std::int64_t i = 0; i < volume.shape().elements(); ++i)
    volume.elements<double>()[static_cast<std::size_t>(i)] = i % 9 < 4 ? 1 : 5;
  const Operator op = makeOperator(parseFilterSpec("median"), {});
  const std::vector<double> before(volume.elements<double>().begin(), volume.elements<double>().end());
  CHECK(medians(op, volume, Boundary::nearest) == before);
  volume.elements<double>()[9 * 9 * 4 + 9 * 4 + 6] = 1e200;
  CHECK(medians(op, volume, Boundary::nearest) == before);
  volume.elements<double>()[9 * 9 * 4 + 9 * 4 + 6] = NAN;
  const std::vector<double> after = medians(op, volume, Boundary::nearest);
  CHECK(std::count_if(after.begin(), after.end(), [](double v) { return std::isnan(v); }) == 27);
}

TEST_CASE("one wrong bit of a median is found, which a rounding error could explain") {
  const Volume volume = test::randomVolume({12, 11, 10, 1}, ElementType::f32, 6);
  const FilterWorkload workload({makeOperator(parseFilterSpec("median"), {})}, Boundary::nearest, 0, volume.spec(),
                                ElementType::f32);
  const std::vector<double> right = medians(workload.operators()[0], volume, Boundary::nearest);
  Volume out(volume.shape(), ElementType::f32);
  std::ranges::copy(right, out.elements<float>().begin());
  const ConstArrayView in = volume.view(), result = out.view();
  CHECK(verify(workload, {&in, 1}, {&result, 1}, {}, {}).verified);
  float& one = out.elements<float>()[700];
  one = std::nextafter(one, 2.0F);
  const Verification found = verify(workload, {&in, 1}, {&result, 1}, {}, {});
  CHECK_FALSE(found.verified);
  CHECK(found.off == 1);
}
