// Figures of taps whose sums and squares leave double precision.
#include "core/filter/families/recipe_text.h"
#include "core/filter/laboratory/spectrum.h"

#include <cmath>
#include <limits>

#include "core/filter/families/family.h"
#include "core/filter/laboratory/bank_coverage.h"
#include "core/filter/laboratory/filter_figures.h"
#include "core/filter/laboratory/laboratory.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {

const FilterGrid kImageGrid{2, {1, 1, 1}, true};
constexpr double kInfinite = std::numeric_limits<double>::infinity();
// The first leaves double precision when squared, the second with any sum, the third vanishes when squared, and the
// last lies among the numbers of fewer digits before it is brought near 1.
const double kFactors[]{0x1p600, 0x1p1020, 0x1p-700, 0x1p-1000};

Stencil filterOn(const char* spec) { return makeStencil(parseFilterSpec(spec), kImageGrid); }

Stencil times(Stencil filter, double factor) {
  for (SeparableTerm& term : filter.terms)
    for (double& weight : term.axis[1].weights) weight *= factor;
  for (double& weight : filter.dense.weights) weight *= factor;
  return filter;
}

Stencil denseLine(std::vector<double> weights) {
  Stencil filter;
  filter.dense = {{static_cast<std::int64_t>(weights.size()), 1, 1}, {0, 0, 0}, std::move(weights)};
  return filter;
}

}  // namespace

TEST_CASE("taps brought near 1 are the filter's but for a power of two", "[laboratory][unit]") {
  for (const char* spec : {"gaussian:sigma=1.3,order_x=1", "dog:sigma=1", "laplacian", "motion:azimuth=30"})
    for (const double factor : kFactors) {
      INFO(spec << " times " << factor);
      const Stencil filter = filterOn(spec);
      const UnitTaps unit = unitTaps(times(filter, factor));
      const UnitTaps one = unitTaps(filter);
      CHECK(unit.some);
      CHECK(unit.exponent == one.exponent + std::ilogb(factor));
      CHECK(unit.taps.expanded() == one.taps.expanded());
      DenseTaps back = one.taps.expanded();
      for (double& weight : back.weights) weight = std::ldexp(weight, one.exponent);
      CHECK(back == filter.expanded());
    }
  CHECK_FALSE(unitTaps(denseLine({0, 0})).some);
  CHECK(unitTaps(denseLine({0, 0})).exponent == 0);
  CHECK(unitTaps(denseLine({1e300, kInfinite})).exponent == 0);
  CHECK(ordinaryTaps(filterOn("dog:sigma=1")).exponent == 0);
}

TEST_CASE("figures of huge and of tiny taps have the ratios of ordinary ones", "[laboratory][unit]") {
  for (const char* spec : {"box:size=4", "gaussian:sigma=2", "sobel:axis=x", "dog:sigma=1", "motion:azimuth=30",
                           "sharpen:sigma=1,amount=0.5", "custom:size=[3,2],taps=[0,1,0,2,-4,0.5]"}) {
    const Stencil filter = filterOn(spec);
    const FilterFigures known = figuresOf(filter, {});
    for (const double factor : kFactors) {
      INFO(spec << " times " << factor);
      const FilterFigures figures = figuresOf(times(filter, factor), {});
      CHECK(figures.sum == known.sum * factor);
      CHECK(figures.absoluteSum.value() == known.absoluteSum.value() * factor);
      CHECK(figures.noise == known.noise * factor);
      CHECK(figures.sumsToZero == known.sumsToZero);
      CHECK(figures.center == known.center);
      CHECK(figures.sigma == known.sigma);
      CHECK(figures.terms == known.terms);
      CHECK(figures.separableProducts == known.separableProducts);
    }
  }
  // Infinite only where there is no such number.
  const FilterFigures pair = figuresOf(denseLine({1e308, 1e308}), {});
  CHECK(pair.sum == kInfinite);
  CHECK(pair.absoluteSum == kInfinite);
  CHECK(pair.noise == Approx(std::sqrt(2.0) * 1e308));
  CHECK(pair.center[0] == 0.5);
  CHECK(pair.sigma[0].value() == 0.5);
  CHECK(figuresOf(denseLine({1e308, 1e308, -1e308}), {}).sum == 1e308);
}

TEST_CASE("coverage of huge and of tiny taps has the bounds of ordinary ones", "[laboratory][unit]") {
  const auto coverageOf = [](const std::vector<Stencil>& filters) {
    return bankCoverage(filters, coveragePoints(filters, 2), {});
  };
  const std::vector<Stencil> plain{filterOn("gaussian:sigma=1"), filterOn("sobel:axis=x"), filterOn("dog:sigma=1")};
  const BankCoverage known = coverageOf(plain);
  CHECK(known.exponent == 0);
  const FrameBounds wanted = frameBounds(known);
  const auto bands = unseenBands(radialProfile(known, {1, 1, 1}), kUnseenShare);
  for (const double factor : kFactors) {
    INFO(factor);
    std::vector<Stencil> scaled;
    for (const Stencil& filter : plain) scaled.push_back(times(filter, factor));
    const BankCoverage coverage = coverageOf(scaled);
    CHECK(coverage.exponent != 0);
    const int apart = 2 * std::ilogb(factor) - coverage.exponent;
    for (std::size_t i = 0; i < known.power.size(); ++i)
      if (coverage.power[i] != std::ldexp(known.power[i], apart)) FAIL("differs at " << i);
    const FrameBounds bounds = frameBounds(coverage);
    CHECK(bounds.upper == std::ldexp(wanted.upper, apart));
    CHECK(bounds.upperAt == wanted.upperAt);
    CHECK(unseenBands(radialProfile(coverage, {1, 1, 1}), kUnseenShare) == bands);
    CHECK(correlationMatrix(scaled, {}) == correlationMatrix(plain, {}));
    // Of a bank of both the small ones say nothing; of filters that are all 0 nothing is said.
    std::vector<Stencil> both = scaled;
    both.push_back(denseLine({0}));
    CHECK(coverageOf(both).power == coverage.power);
    CHECK(coverageOf(both).exponent == coverage.exponent);
  }
  const FrameBounds tight = frameBounds(coverageOf({denseLine({1e300, 1e300}), denseLine({1e300, -1e300})}));
  CHECK(tight.tight);
  CHECK(frameBounds(coverageOf({denseLine({1e200}), denseLine({1e-200})})).tight);
}

TEST_CASE("spectra of huge and of tiny taps are those of ordinary ones", "[laboratory][unit]") {
  LaboratoryWish wish;
  wish.grid = kImageGrid;
  wish.row = "taps";
  const auto planeOf = [&](double factor, const char* page) {
    FilterRecipe recipe = parseFilterSpec("custom:size=[3,2],taps=[-1,0,1,-1,0,1],name=taps");
    for (double& tap : recipe.taps.weights) tap *= factor;
    wish.bank.filters = {recipe};
    wish.view.page = page;
    return *laboratory(wish, {}).filter->plane;
  };
  for (const char* page : {"spectrum", "curves"}) {
    const SpectrumPlane known = planeOf(1, page);
    CHECK(known.exponent == 0);
    for (const double factor : {0x1.8p1022, 0x1p-900}) {
      INFO(page << ", " << factor);
      const SpectrumPlane plane = planeOf(factor, page);
      const double level = decibels(plane.peak) + 20 * std::log10(2.0) * plane.exponent;
      CHECK(level == Approx(decibels(known.peak) + 20 * std::log10(factor)));
      CHECK(plane.least / plane.peak == Approx(known.least / known.peak));
      REQUIRE(plane.values.size() == known.values.size());
      for (std::size_t i = 0; i < plane.values.size(); ++i)
        if (std::abs(plane.values[i] / plane.peak - known.values[i] / known.peak) > 1e-14) FAIL("differs at " << i);
    }
  }
}
