// Windows of order statistics and their reference, against a sorted copy.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/method/sorting_network.h"
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
double sortedValue(const RankWindow& window, const Volume& in, Boundary boundary, double constant,
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
  return seen[static_cast<std::size_t>(window.rank)];
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

TEST_CASE("windows of minima and maxima may be even, as SciPy's, and are found in lines") {
  const RankWindow even = minimumWindow(WindowShape::Box, 4, 3), one = maximumWindow(WindowShape::Ball, 1, 3);
  CHECK(even.count() == 64);
  CHECK(even.anchor == std::array<std::int64_t, 3>{2, 2, 2});
  CHECK(even.rank == 0);
  CHECK(even.box());
  CHECK(even.lines() == 16);
  CHECK(one.count() == 1);
  CHECK((one.minimum() && one.maximum() && one.median()));
  const RankWindow ball = maximumWindow(WindowShape::Ball, 31, 3), cross = maximumWindow(WindowShape::Cross, 7, 2);
  CHECK(ball.rank == ball.count() - 1);
  CHECK_FALSE(ball.box());
  std::int64_t voxels = 0;
  for (const auto& [length, begins] : ball.linesByLength()) voxels += length * std::ssize(begins);
  CHECK(voxels == ball.count());
  CHECK(ball.lines() == 709);  // y^2 + z^2 <= 15^2
  CHECK(cross.linesByLength().at(7) == std::vector<std::array<std::int64_t, 3>>{{0, 3, 0}});
  CHECK(cross.linesByLength().at(1).size() == 6);
  CHECK(minimumWindow(WindowShape::Box, 31, 2).text() == "the minimum of 961 values");
  CHECK_THROWS_WITH(minimumWindow(WindowShape::Ball, 4, 3), ContainsSubstring("odd number, or shape=box"));
  CHECK_THROWS_AS(maximumWindow(WindowShape::Box, 32, 3), Error);
  CHECK_THROWS_AS(maximumWindow(WindowShape::Box, 0, 3), Error);
}

TEST_CASE("percentiles take the nearest rank") {
  const auto rank = [](double percent, std::int64_t size, int dimensions) {
    return percentileWindow(WindowShape::Box, size, dimensions, percent).rank;
  };
  CHECK(rank(0, 3, 3) == 0);
  CHECK(rank(100, 3, 3) == 26);
  CHECK(rank(50, 3, 3) == 13);
  CHECK(rank(25, 3, 3) == 6);   // 6.75 of 27: number 7
  CHECK(rank(20, 5, 3) == 24);  // 25 of 125: number 25, where SciPy takes number 26
  CHECK(rank(20.001, 5, 3) == 25);
  CHECK(rank(100.0 / 9, 3, 2) == 0);  // one of nine, which is no whole number here
  CHECK(rank(99.9, 31, 3) == 29761);
  CHECK(percentileWindow(WindowShape::Box, 31, 3, 50) == medianWindow(WindowShape::Box, 31, 3));
  CHECK(percentileWindow(WindowShape::Box, 3, 3, 25).text() == "value 7 of 27 in order");
  CHECK_THROWS_AS(percentileWindow(WindowShape::Box, 3, 3, 101), Error);
  CHECK_THROWS_AS(percentileWindow(WindowShape::Box, 3, 3, NAN), Error);
  CHECK_THROWS_AS(percentileWindow(WindowShape::Box, 4, 3, 50), Error);
}

// Zeros and ones stand for all values: what sorts every one of their orders sorts everything (Knuth, 5.3.4).
TEST_CASE("sorting networks sort") {
  const auto sorts = [](const SortingNetwork& network, std::uint32_t ones) {
    for (std::size_t i = 0; i < network.count; ++i) {
      const auto& [low, high] = network.exchanges[i];
      if ((ones >> low & 1) > (ones >> high & 1)) ones ^= 1U << low | 1U << high;
    }
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < network.result.count; ++i) {
      const std::uint32_t one = ones >> network.result.at[i] & 1;
      if (one < before) return false;
      before = one;
    }
    return true;
  };
  for (const std::size_t count : {1, 2, 3, 5, 9, 11}) {
    const SortingNetwork network = sortingNetwork(count);
    CHECK(network.result.count == count);
    bool all = true;
    for (std::uint32_t ones = 0; ones < 1U << count; ++ones) all = all && sorts(network, ones);
    CHECK(all);
  }
  CHECK(sortingNetwork(9).count == 26);
  for (const auto& [first, second] : {std::pair{3, 3}, {9, 9}, {5, 5}, {10, 10}, {2, 7}}) {
    const SortingNetwork network = mergingNetwork(static_cast<std::size_t>(first), static_cast<std::size_t>(second));
    bool all = true;
    for (int a = 0; a <= first; ++a)
      for (int b = 0; b <= second; ++b) {  // so many zeros lead each list
        const std::uint32_t upper = (1U << first) - (1U << a), lower = (1U << second) - (1U << b);
        all = all && sorts(network, upper | lower << first);
      }
    CHECK(all);
  }
}

TEST_CASE("sizes of windows are odd and not larger than the largest") {
  CHECK_THROWS_AS(medianWindow(WindowShape::Box, 4, 3), Error);
  CHECK_THROWS_AS(medianWindow(WindowShape::Box, 33, 3), Error);
  CHECK_THROWS_AS(medianWindow(WindowShape::Box, 0, 3), Error);
  CHECK_THROWS_WITH(parseFilterSpec("median:size=4"), ContainsSubstring("an odd number from 3 to 31"));
  CHECK_THROWS_AS(parseFilterSpec("median:size=33"), Error);
  CHECK_THROWS_AS(parseFilterSpec("percentile:percent=101"), Error);
  CHECK_THROWS_AS(parseFilterSpec("maximum:size=32"), Error);
  CHECK_THROWS_AS(makeOperator(parseFilterSpec("minimum:size=4,shape=cross"), {}), Error);
  CHECK_THROWS_AS(parseFilterSpec("median:shape=disk"), Error);
  CHECK_THROWS_AS(makeStencil(parseFilterSpec("median"), {}), Error);
}

TEST_CASE("the reference of a rank is that value of what it reads, sorted") {
  const Volume volume = test::randomVolume({6, 5, 4, 2}, ElementType::i16, 5);
  for (const char* spec : {"median", "median:size=5,shape=ball", "median:size=7,shape=cross", "percentile:percent=15",
                           "minimum:size=4", "maximum:size=3,shape=cross"})
    for (const Boundary boundary : kBoundaries) {
      const Operator op = makeOperator(parseFilterSpec(spec), {});
      const std::vector<double> values = medians(op, volume, boundary, 17);
      std::size_t at = 0;
      for (std::int64_t z = 0; z < 4; ++z)
        for (std::int64_t y = 0; y < 5; ++y)
          for (std::int64_t x = 0; x < 6; ++x)
            for (int c = 0; c < 2; ++c, ++at)
              REQUIRE(values[at] == sortedValue(*op.window(), volume, boundary, 17, {x, y, z}, c));
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
