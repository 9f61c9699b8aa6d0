// Means weighted by likeness and their reference: what is known of them by analysis.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/stencil.h"
#include "core/filter/workload/filter_workload.h"
#include "core/measure/verify.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

constexpr FilterGrid kVolume{3, {1, 1, 1}}, kImage{2, {1, 1, 1}};

std::vector<double> means(const Operator& op, const Volume& volume, Boundary boundary = Boundary::nearest,
                          double constant = 0) {
  const FilterWorkload workload({op}, boundary, constant, volume.spec(), ElementType::f64);
  const ConstArrayView in = volume.view();
  const VolumeShape& s = volume.shape();
  std::vector<double> values(static_cast<std::size_t>(s.elements()));
  workload.reference({&in, 1}, 0, {{0, 0, 0}, {s.nx, s.ny, s.nz}}, values, {});
  return values;
}

std::vector<double> means(const char* spec, const Volume& volume) {
  return means(makeOperator(parseFilterSpec(spec), volume.shape().nz > 1 ? kVolume : kImage), volume);
}

// Of the formula in the header, once more: value by value.
double meanAt(const RangeWindow& w, const Volume& in, Boundary boundary, const std::array<std::int64_t, 3>& at, int c) {
  const auto value = [&](const std::array<std::int64_t, 3>& place) {
    const auto& s = in.shape();
    return in.value(boundaryIndex(place[0], s.nx, boundary), boundaryIndex(place[1], s.ny, boundary),
                    boundaryIndex(place[2], s.nz, boundary), c);
  };
  double weights = 0, sum = 0;
  for (std::int64_t k = -w.reach[2]; k <= w.reach[2]; ++k)
    for (std::int64_t j = -w.reach[1]; j <= w.reach[1]; ++j)
      for (std::int64_t i = -w.reach[0]; i <= w.reach[0]; ++i) {
        double distance = 0;
        int compared = 0;
        for (std::int64_t r = -w.patch[2]; r <= w.patch[2]; ++r)
          for (std::int64_t q = -w.patch[1]; q <= w.patch[1]; ++q)
            for (std::int64_t p = -w.patch[0]; p <= w.patch[0]; ++p, ++compared)
              distance += std::pow(
                  value({at[0] + i + p, at[1] + j + q, at[2] + k + r}) - value({at[0] + p, at[1] + q, at[2] + r}), 2);
        const auto far = w.falloff[0] * static_cast<double>(i * i) + w.falloff[1] * static_cast<double>(j * j) +
                         w.falloff[2] * static_cast<double>(k * k);
        const double weight = std::exp(-far - std::max(0.0, distance / compared - w.floor) / (2 * w.range * w.range));
        weights += weight;
        sum += weight * value({at[0] + i, at[1] + j, at[2] + k});
      }
  return sum / weights;
}

constexpr std::array kSpecs{"bilateral:sigma=1,range=0.4", "bilateral:sigma=0.7,range=2,radius=2",
                            "nlmeans:sigma=0.3,search=2,patch=1", "nlmeans:sigma=0.1,strength=3,search=1,patch=2"};

}  // namespace

TEST_CASE("windows of means have the reach and the parameters that were asked for") {
  const Operator bilateral = makeOperator(parseFilterSpec("bilateral:sigma=2,range=3,truncate=2.5"), kVolume);
  const RangeWindow& window = *bilateral.range();
  CHECK(window.reach == std::array<std::int64_t, 3>{5, 5, 5});
  CHECK(window.falloff[0] == 0.125);
  CHECK(window.range == 3);
  CHECK(window.floor == 0);
  CHECK(bilateral.size() == std::array<std::int64_t, 3>{11, 11, 11});
  CHECK(bilateral.taps() == 1331);
  const FilterGrid flat{3, {1, 1, 4}};
  CHECK(makeOperator(parseFilterSpec("bilateral:sigma=2mm"), flat).range()->reach ==
        std::array<std::int64_t, 3>{5, 5, 1});
  CHECK(makeOperator(parseFilterSpec("bilateral:sigma=2,radius=3"), kImage).size() ==
        std::array<std::int64_t, 3>{7, 7, 1});

  const Operator likeness = makeOperator(parseFilterSpec("nlmeans:sigma=4,strength=0.5,search=3,patch=2"), kVolume);
  CHECK(likeness.range()->range == Approx(2 / std::sqrt(2)));  // h = 2
  CHECK(likeness.range()->floor == 32);
  CHECK(likeness.size() == std::array<std::int64_t, 3>{11, 11, 11});
  CHECK(likeness.anchor() == std::array<std::int64_t, 3>{5, 5, 5});
  CHECK(likeness.taps() == 343);
  CHECK(likeness.range()->patchCount() == 125);
  CHECK(*flipped(likeness).range() == *likeness.range());

  CHECK_THROWS_WITH(makeOperator(parseFilterSpec("bilateral:sigma=8"), kVolume),
                    ContainsSubstring("20 voxels far, and at most 15 are possible"));
  CHECK_THROWS_AS(parseFilterSpec("bilateral:range=0"), Error);
  CHECK_THROWS_AS(parseFilterSpec("nlmeans:sigma=0"), Error);
  CHECK_THROWS_AS(makeStencil(parseFilterSpec("nlmeans"), kVolume), Error);
}

TEST_CASE("the reference of means weighted by likeness is the formula") {
  const Volume volume = test::randomVolume({6, 5, 4, 2}, ElementType::f64, 5);
  for (const char* spec : kSpecs)
    for (const Boundary boundary : {Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap}) {
      INFO(spec);
      const Operator op = makeOperator(parseFilterSpec(spec), kVolume);
      const std::vector<double> values = means(op, volume, boundary);
      std::size_t at = 0;
      for (std::int64_t z = 0; z < 4; ++z)
        for (std::int64_t y = 0; y < 5; ++y)
          for (std::int64_t x = 0; x < 6; ++x)
            for (int c = 0; c < 2; ++c, ++at)
              REQUIRE(values[at] == Approx(meanAt(*op.range(), volume, boundary, {x, y, z}, c)).margin(1e-13));
    }
}

TEST_CASE("means weighted by likeness leave constants as they are, and stay between the least and the largest value") {
  Volume constant({7, 6, 5, 1}, ElementType::f64);
  std::ranges::fill(constant.elements<double>(), 0.1);
  const Volume noise = test::randomVolume({7, 6, 5, 1}, ElementType::f64, 9);
  const auto [least, largest] = std::ranges::minmax(noise.elements<double>());
  for (const char* spec : kSpecs) {
    INFO(spec);
    for (const double value : means(spec, constant)) CHECK(value == 0.1);
    for (const double value : means(spec, noise)) {
      CHECK(value >= least - 1e-15);
      CHECK(value <= largest + 1e-15);
    }
  }
}

TEST_CASE("a bilateral filter of wide range is the normalized gaussian, one of narrow range keeps an impulse") {
  const Volume volume = test::randomVolume({11, 10, 9, 1}, ElementType::f64, 3);
  const std::vector<double> smoothed = means("gaussian:sigma=1.5,truncate=2.5", volume);
  const std::vector<double> wide = means("bilateral:sigma=1.5,range=1e9,truncate=2.5", volume);
  double worst = 0;
  for (std::size_t i = 0; i < wide.size(); ++i) worst = test::larger(worst, std::abs(wide[i] - smoothed[i]));
  CHECK(worst < 1e-13);

  Volume impulse({9, 9, 9, 1}, ElementType::f64);
  std::ranges::fill(impulse.elements<double>(), 0.0);
  impulse.elements<double>()[364] = 100;
  const std::vector<double> kept = means("bilateral:sigma=2,range=5,radius=4", impulse);
  for (std::size_t i = 0; i < kept.size(); ++i) CHECK(std::abs(kept[i] - (i == 364 ? 100 : 0)) < 1e-60);
}

TEST_CASE("a bilateral filter keeps a step that a gaussian blurs, and smooths beside it") {
  Volume step({16, 9, 1, 1}, ElementType::f64);
  for (std::int64_t i = 0; i < step.shape().elements(); ++i)
    step.elements<double>()[static_cast<std::size_t>(i)] = (i % 16 < 8 ? 0.0 : 100.0) + (i % 2 == 0 ? 1.0 : -1.0);
  const std::vector<double> values = means("bilateral:sigma=2,range=10", step);
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(std::abs(values[i] - (i % 16 < 8 ? 0 : 100)) < 0.6);
}

TEST_CASE("non-local means take away most of the noise of a periodic picture") {
  const VolumeShape shape{24, 24, 1, 1};
  Volume noisy = test::randomVolume(shape, ElementType::f64, 8);
  std::vector<double> clean;
  for (std::int64_t i = 0; i < shape.elements(); ++i) clean.push_back(i % 24 % 4 < 2 ? 0 : 20);
  double mean = 0, variance = 0;
  for (const double value : noisy.elements<double>()) mean += value / static_cast<double>(shape.elements());
  for (const double value : noisy.elements<double>())
    variance += (value - mean) * (value - mean) / static_cast<double>(shape.elements());
  for (std::size_t i = 0; i < clean.size(); ++i) noisy.elements<double>()[i] += clean[i] - mean;
  FilterRecipe recipe = parseFilterSpec("nlmeans:search=8,patch=1");
  recipe.parameters["sigma"] = std::sqrt(variance);
  const std::vector<double> values = means(makeOperator(recipe, kImage), noisy, Boundary::wrap);
  double left = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    left += (values[i] - clean[i]) * (values[i] - clean[i]) / static_cast<double>(shape.elements());
  CHECK(left < 0.1 * variance);
}

TEST_CASE("values that are not finite count for nothing, and stay as they are") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  Volume volume = test::randomVolume({9, 8, 1, 1}, ElementType::f64, 4);
  const Operator bilateral = makeOperator(parseFilterSpec("bilateral:sigma=1,range=0.5"), kImage);
  const Operator likeness = makeOperator(parseFilterSpec("nlmeans:sigma=0.3,search=2,patch=1"), kImage);
  auto value = volume.elements<double>();
  value[9 * 4 + 4] = nan;
  value[9 * 1 + 1] = inf;
  value[9 * 6 + 7] = -inf;
  const std::vector<double> smoothed = means(bilateral, volume), alike = means(likeness, volume);
  for (std::size_t i = 0; i < value.size(); ++i) {
    INFO(i);
    CHECK(std::isnan(smoothed[i]) == std::isnan(value[i]));
    CHECK(std::isfinite(smoothed[i]) == std::isfinite(value[i]));
    CHECK(std::isfinite(alike[i]) == std::isfinite(value[i]));
    if (std::isinf(value[i])) CHECK((smoothed[i] == value[i] && alike[i] == value[i]));
  }
  CHECK(smoothed[9 * 4 + 5] != value[9 * 4 + 5]);
  CHECK(alike[9 * 4 + 5] == value[9 * 4 + 5]);  // its patch holds the NaN
  CHECK(alike[9 * 4 + 6] != value[9 * 4 + 6]);

  // A constant that is NaN beyond the boundary ends the window there.
  const Volume plain = test::randomVolume({5, 4, 1, 1}, ElementType::f64, 6);
  const std::vector<double> cut = means(bilateral, plain, Boundary::constant, nan);
  CHECK(std::ranges::all_of(cut, [](double v) { return std::isfinite(v); }));
  CHECK(cut[0] != plain.elements<double>()[0]);
}

TEST_CASE("an error of a mean that no rounding explains is found") {
  const Volume volume = test::randomVolume({12, 11, 10, 1}, ElementType::f32, 6);
  for (const char* spec : {"bilateral:sigma=1,range=0.4", "nlmeans:sigma=0.3,search=2"}) {
    const FilterWorkload workload({makeOperator(parseFilterSpec(spec), kVolume)}, Boundary::nearest, 0, volume.spec(),
                                  ElementType::f32);
    const std::vector<double> right = means(workload.operators()[0], volume);
    Volume out(volume.shape(), ElementType::f32);
    std::ranges::transform(right, out.elements<float>().begin(), [](double v) { return static_cast<float>(v); });
    const ConstArrayView in = volume.view(), result = out.view();
    CHECK(verify(workload, {&in, 1}, {&result, 1}, {}, {}).verified);
    CHECK(verify(workload, {&in, 1}, {&result, 1}, {}, {}).largestShare < 0.02);
    out.elements<float>()[700] += 0.001F;
    CHECK(verify(workload, {&in, 1}, {&result, 1}, {}, {}).off == 1);
  }
}

TEST_CASE("what engines are given computes the weights of the formula") {
  for (const char* spec : kSpecs) {
    const RangeWindow w = *makeOperator(parseFilterSpec(spec), kVolume).range();
    const std::vector<double> exponents = rangeExponents(w);
    REQUIRE(std::ssize(exponents) == w.count());
    CHECK(exponents[exponents.size() / 2] == -std::numeric_limits<double>::infinity());
    const auto& [x, y, z] = w.reach;
    const double corner = w.falloff[0] * static_cast<double>(x * x) + w.falloff[1] * static_cast<double>(y * y) +
                          w.falloff[2] * static_cast<double>(z * z);
    CHECK(std::exp2(exponents[0]) == Approx(std::exp(-corner)));
    const double difference = 0.7, scaled = difference * rangeScale(w);
    const double squares = scaled * scaled * static_cast<double>(w.patchCount());
    CHECK(std::exp2(-std::max(0.0, squares - rangeFloor(w))) ==
          Approx(std::exp(-std::max(0.0, difference * difference - w.floor) / (2 * w.range * w.range))));
  }
  RangeWindow smallest;
  smallest.range = kSmallestRange;
  CHECK(std::isnormal(static_cast<float>(rangeScale(smallest))));
  smallest.range = kLargestRange;
  CHECK(std::isnormal(static_cast<float>(rangeScale(smallest))));
}
