#include <cmath>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/stencil.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {

double moment(const AxisTaps& taps, int power) {
  double sum = 0;
  for (std::int64_t i = 0; i < taps.size(); ++i)
    sum += taps.weights[static_cast<std::size_t>(i)] * std::pow(static_cast<double>(i - taps.anchor), power);
  return sum;
}

double sum(const DenseTaps& taps) {
  double total = 0;
  for (const double w : taps.weights) total += w;
  return total;
}

FilterRecipe recipe(const std::string& spec) { return parseFilterSpec(spec); }

const FilterGrid kVolume{3, {1, 1, 1}};
const FilterGrid kImage{2, {1, 1, 1}};

}  // namespace

TEST_CASE("gaussian taps are normalized in every order") {
  for (const double sigma : {0.3, 0.8, 1.5, 4.0}) {
    const AxisTaps smooth = gaussianTaps(sigma, 0, 4);
    CHECK(moment(smooth, 0) == Approx(1).epsilon(1e-14));
    CHECK(std::abs(moment(smooth, 1)) < 1e-14);
    const AxisTaps first = gaussianTaps(sigma, 1, 4);
    CHECK(std::abs(moment(first, 0)) < 1e-13);
    CHECK(moment(first, 1) == Approx(1).epsilon(1e-13));
    const AxisTaps second = gaussianTaps(sigma, 2, 4);
    CHECK(std::abs(moment(second, 0)) < 1e-12);
    CHECK(std::abs(moment(second, 1)) < 1e-12);
    CHECK(moment(second, 2) == Approx(2).epsilon(1e-12));
  }
}

TEST_CASE("gaussian taps have scipy's radius and values") {
  // scipy.ndimage._filters._gaussian_kernel1d(1.5, 0, 6)
  const AxisTaps taps = gaussianTaps(1.5, 0, 4);
  REQUIRE(taps.size() == 13);
  CHECK(taps.anchor == 6);
  CHECK(taps.weights[6] == Approx(0.2659642571610709).epsilon(1e-14));
  CHECK(taps.weights[7] == Approx(0.212967528547854).epsilon(1e-14));
  CHECK(taps.weights[12] == Approx(8.92210686353923e-05).epsilon(1e-13));
}

TEST_CASE("the lost tail mass falls with the truncation") {
  CHECK(gaussianTailMass(2, 4) < 1e-4);
  CHECK(gaussianTailMass(2, 4) > 0);
  CHECK(gaussianTailMass(2, 1) > 0.2);
  const Stencil filter = makeStencil(recipe("gaussian:sigma=2,truncate=2"), kVolume);
  CHECK(filter.lostTailMass == Approx(1 - std::pow(1 - gaussianTailMass(2, 2), 3)));
}

TEST_CASE("smoothing families keep constants and band passes remove them") {
  for (const FilterGrid& grid : {kVolume, kImage}) {
    for (const char* spec : {"gaussian:sigma=1.3", "box:size=4", "sharpen:amount=2,sigma=1"})
      CHECK(sum(makeStencil(recipe(spec), grid).expanded()) == Approx(1).epsilon(1e-12));
    for (const char* spec : {"gaussian:sigma=1,order_x=1", "dog", "laplacian:neighbors=corners", "log", "sobel:axis=y",
                             "prewitt", "scharr:axis=x"})
      CHECK(std::abs(sum(makeStencil(recipe(spec), grid).expanded())) < 1e-10);
  }
}

TEST_CASE("gradient families look as in the books") {
  const DenseTaps sobel = makeStencil(recipe("sobel:axis=x"), kImage).expanded();
  CHECK(sobel.weights == std::vector<double>{-1, 0, 1, -2, 0, 2, -1, 0, 1});
  const DenseTaps scharr = makeStencil(recipe("scharr:axis=y"), kImage).expanded();
  CHECK(scharr.weights == std::vector<double>{-3, -10, -3, 0, 0, 0, 3, 10, 3});
  const DenseTaps laplacian = makeStencil(recipe("laplacian"), kVolume).expanded();
  CHECK(laplacian.at(1, 1, 1) == -6);
  CHECK(laplacian.at(0, 1, 1) == 1);
  CHECK(laplacian.at(0, 0, 1) == 0);
  CHECK(makeStencil(recipe("laplacian:neighbors=edges"), kVolume).expanded().at(1, 1, 1) == -18);
  CHECK(makeStencil(recipe("laplacian:neighbors=corners"), kVolume).expanded().at(1, 1, 1) == -26);
}

TEST_CASE("normalized gradients give one on a ramp") {
  for (const char* spec :
       {"sobel:axis=y,normalize=true", "prewitt:axis=y,normalize=true", "scharr:axis=y,normalize=true"}) {
    const DenseTaps taps = makeStencil(recipe(spec), kVolume).expanded();
    double slope = 0;
    for (std::int64_t z = 0; z < 3; ++z)
      for (std::int64_t y = 0; y < 3; ++y)
        for (std::int64_t x = 0; x < 3; ++x) slope += taps.at(x, y, z) * static_cast<double>(y - 1);
    CHECK(slope == Approx(1));
  }
}

TEST_CASE("lengths in millimeters follow each axis' spacing") {
  const FilterGrid anisotropic{3, {0.5, 1, 2}};
  const Stencil filter = makeStencil(recipe("gaussian:sigma=2mm"), anisotropic);
  CHECK(filter.size() == std::array<std::int64_t, 3>{33, 17, 9});
  CHECK_THROWS_AS(makeStencil(recipe("gaussian:sigma=100mm"), anisotropic), Error);
}

TEST_CASE("images refuse what needs a third axis") {
  CHECK_THROWS_AS(makeStencil(recipe("sobel:axis=z"), kImage), Error);
  CHECK_THROWS_AS(makeStencil(recipe("gaussian:order_z=1"), kImage), Error);
}

TEST_CASE("rank-one taps are factored, others are left alone") {
  Stencil product;
  product.dense.size = {3, 2, 2};
  product.dense.anchor = {1, 1, 1};
  product.dense.weights.clear();
  const double x[] = {1, -2, 0.5}, y[] = {3, 4}, z[] = {-1, 2};
  for (const double c : z)
    for (const double b : y)
      for (const double a : x) product.dense.weights.push_back(a * b * c);
  const Stencil split = factored(product);
  REQUIRE(split.separable());
  const DenseTaps again = split.expanded();
  CHECK(again.size == product.dense.size);
  CHECK(again.anchor == product.dense.anchor);
  for (std::size_t i = 0; i < again.weights.size(); ++i) CHECK(again.weights[i] == Approx(product.dense.weights[i]));
  product.dense.weights[0] += 0.01;
  CHECK_FALSE(factored(product).separable());
  Stencil zero;
  zero.dense.weights = {0.0};
  CHECK_FALSE(factored(zero).separable());
}

TEST_CASE("taps beside a much larger one are not lost by factoring") {
  Stencil filter;
  filter.dense.size = {5, 5, 1};
  filter.dense.anchor = {2, 2, 0};
  filter.dense.weights.assign(25, 0);
  filter.dense.weights[12] = 1e4;
  filter.dense.weights[1] = 5e-9;
  CHECK_FALSE(factored(filter).separable());
  filter.dense.weights[1] = 0;  // the large one alone is a product
  CHECK(factored(filter).separable());
  filter.dense.weights.assign(25, 1);
  filter.dense.weights[12] = 1e13;
  CHECK_FALSE(factored(filter).separable());
}

TEST_CASE("flip mirrors taps and anchor") {
  Stencil filter;
  filter.dense = {{4, 1, 1}, {1, 0, 0}, {1, 2, 3, 4}};
  const Stencil mirrored = flipped(filter);
  CHECK(mirrored.dense.weights == std::vector<double>{4, 3, 2, 1});
  CHECK(mirrored.dense.anchor[0] == 2);
  const Stencil sobel = makeStencil(recipe("sobel:axis=x,flip=true"), kImage);
  CHECK(sobel.expanded().weights == std::vector<double>{1, 0, -1, 2, 0, -2, 1, 0, -1});
}

TEST_CASE("sums of separable terms are centered on a common anchor") {
  const Stencil filter = makeStencil(recipe("dog:sigma=1,ratio=2"), kVolume);
  const DenseTaps taps = filter.expanded();
  CHECK(taps.size == std::array<std::int64_t, 3>{17, 17, 17});
  const AxisTaps narrow = gaussianTaps(1, 0, 4), wide = gaussianTaps(2, 0, 4);
  CHECK(taps.at(8, 8, 8) == Approx(std::pow(narrow.weights[4], 3) - std::pow(wide.weights[8], 3)));
  CHECK(taps.at(0, 8, 8) == Approx(-wide.weights[0] * wide.weights[8] * wide.weights[8]));
}

TEST_CASE("every family can be made with its defaults in two and three dimensions") {
  for (const FilterFamily& family : filterFamilies()) {
    if (!family.make) continue;
    FilterRecipe defaults;
    defaults.name = defaults.family = family.name;
    for (const FilterGrid& grid : {kVolume, kImage}) {
      CHECK(makeProgram({{defaults}, Boundary::nearest, 0, {}}, grid, false).outputs.size() == 1);
      if (!isOneOperator(defaults, grid)) continue;
      const Operator made = makeOperator(defaults, grid);
      CHECK(made.taps() >= 1);
      if (made.stencil() != nullptr) CHECK(made.stencil()->absoluteSum() > 0);
    }
  }
}
