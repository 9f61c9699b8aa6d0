// Spectra and figures of one filter against what is known of them by analysis.
#include "core/filter/laboratory/spectrum.h"
#include "core/filter/families/recipe_text.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/laboratory/filter_figures.h"
#include "core/filter/laboratory/impulse_answer.h"
#include "core/filter/laboratory/linear_row.h"
#include "tests/support/catch.h"
#include "tests/support/taps.h"

using namespace sscope;

namespace {

constexpr double kHalfTurn = std::numbers::pi;
const FilterGrid kFlatGrid{2, {1, 1, 1}, true};

Stencil filterFrom(const char* spec, const FilterGrid& grid = {}) { return makeStencil(parseFilterSpec(spec), grid); }

// Along x, where the other frequencies are 0.
std::vector<std::complex<double>> alongX(const Stencil& filter, const std::vector<double>& frequencies) {
  return spectrum(filter, {frequencies, {0.0}, {0.0}}, {});
}

// The same filter without its terms.
Stencil writtenOut(const Stencil& filter) {
  Stencil other;
  other.dense = filter.expanded();
  return other;
}

void checkValues(const std::vector<std::complex<double>>& a, const std::vector<std::complex<double>>& b,
                 double margin) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  CHECK(worst <= margin);
}

}  // namespace

TEST_CASE("the spectrum of a box is Dirichlet's kernel") {
  const int size = GENERATE(3, 5, 9);
  const auto frequencies = centeredFrequencies(64);
  CHECK(frequencies.front() == -0.5);
  CHECK(frequencies[32] == 0);
  const auto values = alongX(filterFrom(("box:size=" + std::to_string(size)).c_str()), frequencies);
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const double f = frequencies[k];
    const double kernel = f == 0 ? 1 : std::sin(kHalfTurn * size * f) / (size * std::sin(kHalfTurn * f));
    CHECK(values[k].real() == Approx(kernel).margin(1e-14));
    CHECK(values[k].imag() == Approx(0).margin(1e-14));
  }
}

TEST_CASE("an even box is shifted by half a voxel: its phase is a straight line") {
  // Its anchor is the tap after the middle, so that it reads half a voxel before its place.
  for (const double f : {0.05, 0.1, 0.2}) {
    const auto value = alongX(filterFrom("box:size=2"), {f})[0];
    CHECK(std::abs(value) == Approx(std::cos(kHalfTurn * f)));
    CHECK(phaseDegrees(value, 0) == Approx(-180 * f));
  }
}

TEST_CASE("the spectrum of a gaussian is a gaussian") {
  const double sigma = GENERATE(1.0, 2.5);
  const Stencil filter = filterFrom(("gaussian:truncate=8,sigma=" + std::to_string(sigma)).c_str());
  const auto exact = [&](double f) { return std::exp(-2 * kHalfTurn * kHalfTurn * sigma * sigma * f * f); };
  for (const double f : {0.0, 0.03, 0.1, 0.2, 0.3}) {
    // Sampling adds what lies around whole numbers.
    const double folded = exact(f) + exact(f - 1) + exact(f + 1), whole = exact(0) + 2 * exact(1);
    CHECK(alongX(filter, {f})[0].real() == Approx(folded / whole).margin(1e-13));
  }
  const auto value = spectrum(filter, {{{0.1}, {0.05}, {0.12}}}, {})[0];
  CHECK(value.real() == Approx(exact(std::hypot(0.1, 0.05, 0.12))).epsilon(1e-6));
}

TEST_CASE("derivatives turn waves by a quarter, and constant data are gone") {
  const auto values = alongX(filterFrom("sobel:axis=x,normalize=true"), {0.0, 0.1, 0.25});
  CHECK(std::abs(values[0]) == 0);
  CHECK(std::isnan(phaseDegrees(values[0], 0)));
  CHECK(std::isinf(decibels(values[0])));
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
    const double f = k == 1 ? 0.1 : 0.25;
    CHECK(values[k].imag() == Approx(std::sin(2 * kHalfTurn * f)));  // the central difference
    CHECK(phaseDegrees(values[k], 1e-12) == Approx(90));
  }
  // As a convolution it is the other way round.
  FilterRecipe recipe = parseFilterSpec("sobel:axis=x,flip=true");
  CHECK(phaseDegrees(alongX(makeStencil(recipe, {}), {0.1})[0], 1e-12) == Approx(-90));
}

TEST_CASE("dense taps have the spectrum of the terms they are the sum of") {
  const auto f = centeredFrequencies(12), g = centeredFrequencies(7), h = centeredFrequencies(4);
  for (const char* spec : {"gaussian:sigma=1.2,order_x=1", "log:sigma=1", "dog:sigma=1", "prewitt:axis=z", "sharpen"}) {
    INFO(spec);
    const Stencil filter = filterFrom(spec);
    checkValues(spectrum(filter, {f, g, h}, {}), spectrum(writtenOut(filter), {f, g, h}, {}), 1e-13);
  }
}

TEST_CASE("transforms give what the sums give, whatever the taps, their size and their anchor") {
  std::mt19937 random(11);
  const auto pick = [&](std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
  };
  const auto randomTaps = [&](const std::array<std::int64_t, 3>& size) {
    Stencil filter;
    filter.dense.size = size;
    // Anchors also at the ends.
    for (std::size_t a = 0; a < 3; ++a) filter.dense.anchor[a] = pick(0, size[a] - 1);
    filter.dense.weights.clear();
    for (std::int64_t i = 0; i < filter.dense.count(); ++i)
      filter.dense.weights.push_back(std::normal_distribution<double>()(random));
    return filter;
  };
  const auto differ = [&](const Stencil& filter, const Frequencies& at) {
    INFO(filter.dense.size[0] << " x " << filter.dense.size[1] << " x " << filter.dense.size[2]);
    double sum = 0;
    for (const double weight : filter.dense.weights) sum += std::abs(weight);
    checkValues(spectrum(filter, at, {}), addedUpSpectrum(filter.dense, at, {}), 1e-14 * sum);
  };
  const auto f = [](std::int64_t n) { return centeredFrequencies(n); };
  // Every length that there is a transform for, and lengths without one.
  for (const std::int64_t n : {8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 17, 100})
    differ(randomTaps({pick(1, 40), 1, 1}), {f(n), std::vector{0.0}, std::vector{0.0}});
  // Planes of images and of volumes, across each axis, also at frequencies of their own; single frequencies of an axis.
  for (int turn = 0; turn < 4; ++turn) {
    differ(randomTaps({pick(1, 21), pick(1, 21), 1}), {f(128), f(64), std::vector{0.0}});
    const Stencil volume = randomTaps({pick(1, 9), pick(1, 9), pick(1, 9)});
    differ(volume, {f(64), f(128), std::vector{0.1234}});
    differ(volume, {f(64), std::vector{-0.31}, f(32)});
    differ(volume, {std::vector{0.5}, f(16), f(64)});
    differ(volume, {f(24), f(24), f(24)});
  }
  // More taps than frequencies: they are added up where waves are the same.
  differ(randomTaps({301, 1, 1}), {f(128), std::vector{0.0}, std::vector{0.0}});
  differ(randomTaps({45, 37, 1}), {f(16), f(32), std::vector{0.0}});
  differ(randomTaps({1, 1, 1}), {f(16), f(16), f(16)});
}

TEST_CASE("filters in series have the product of the spectra, and separable ones stay so") {
  const auto f = centeredFrequencies(16);
  const Frequencies at{f, f, {0.0, 0.3}};
  const Stencil smooth = filterFrom("gaussian:sigma=1"), slope = filterFrom("sobel:axis=y"),
                laplacian = filterFrom("laplacian");
  const auto product = [&](const Stencil& a, const Stencil& b) {
    auto values = spectrum(a, at, {});
    const auto other = spectrum(b, at, {});
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= other[i];
    return values;
  };
  const Stencil both = inSeries(smooth, slope, {});
  CHECK(both.separable());
  checkValues(spectrum(both, at, {}), product(smooth, slope), 1e-13);
  for (const Stencil& first : {smooth, filterFrom("log:sigma=1"), laplacian}) {
    checkValues(spectrum(inSeries(first, laplacian, {}), at, {}), product(first, laplacian), 1e-12);
    checkValues(spectrum(inSeries(laplacian, first, {}), at, {}), product(first, laplacian), 1e-12);
  }
}

TEST_CASE("rows in series are one filter, and what is not linear says why") {
  FilterBank bank;
  for (const char* spec : {"gaussian:sigma=1,name=s", "sobel:axis=x,input=s,name=gx", "median:input=s,name=m",
                           "sobel:axis=y,input=m,name=my", "bilateral:name=b"})
    bank.filters.push_back(parseFilterSpec(spec));
  const FilterProgram program = makeProgram(bank, kFlatGrid, true);
  const auto row = [&](std::size_t output) { return linearRow(program, program.outputs.at(output).node, {}); };
  REQUIRE(row(1).taps);
  CHECK(row(1).taps->expanded() ==
        inSeries(filterFrom("gaussian:sigma=1", kFlatGrid), filterFrom("sobel:axis=x", kFlatGrid), {}).expanded());
  for (const std::size_t output : {2, 3, 4}) {
    CHECK_FALSE(row(output).taps);
    CHECK_FALSE(row(output).reason.empty());
  }
  CHECK(row(2).reason == row(3).reason);
  CHECK(row(4).reason != row(2).reason);
}

TEST_CASE("figures of a filter are its sums and moments") {
  const FilterFigures box = figuresOf(filterFrom("box:size=5"), {});
  CHECK(box.sum == Approx(1));
  CHECK(box.absoluteSum.value() == Approx(1));
  CHECK(box.noise == Approx(std::sqrt(1.0 / 125)));
  for (const auto& sigma : box.sigma) CHECK(sigma.value() == Approx(std::sqrt(2.0)));  // sqrt((n^2 - 1) / 12)
  CHECK_FALSE(box.lostTailMass);
  CHECK(box.terms == 1);
  CHECK(box.denseProducts == 125);
  CHECK(box.separableProducts == 15);

  const FilterFigures gaussian = figuresOf(filterFrom("gaussian:sigma=2,truncate=8"), {});
  for (const auto& sigma : gaussian.sigma) CHECK(sigma.value() == Approx(2).epsilon(1e-6));
  // White noise through a gaussian of an image: 1 / (4 pi sigma^2).
  CHECK(figuresOf(filterFrom("gaussian:sigma=2,truncate=8", kFlatGrid), {}).noise ==
        Approx(std::sqrt(1 / (16 * kHalfTurn))).epsilon(1e-6));
  // What is cut off at 1 sigma of the samples -1, 0, 1 along one axis of an image.
  const FilterFigures cut = figuresOf(filterFrom("gaussian:sigma=1,truncate=1", kFlatGrid), {});
  double all = 0;
  for (int k = -40; k <= 40; ++k) all += std::exp(-0.5 * k * k);
  const double kept = (1 + 2 * std::exp(-0.5)) / all;
  CHECK(cut.lostTailMass.value() == Approx(1 - kept * kept));

  const FilterFigures sobel = figuresOf(filterFrom("sobel:axis=x,normalize=false", kFlatGrid), {});
  CHECK(sobel.sum == 0);
  CHECK(sobel.sumsToZero);
  CHECK(sobel.absoluteSum.value() == 8);
  CHECK_FALSE(sobel.sigma[0]);
  const FilterFigures even = figuresOf(filterFrom("box:size=2", kFlatGrid), {});
  CHECK(even.center[0] == Approx(-0.5));
  CHECK(even.sigma[0].value() == Approx(0.5));
}

TEST_CASE("the rank of taps is found also where taps are 0, and says what it saves") {
  Stencil cross;  // 0 1 0, 1 -4 1, 0 1 0: rank 2
  cross.dense = {{3, 3, 1}, {1, 1, 0}, {0, 1, 0, 1, -4, 1, 0, 1, 0}};
  const FilterFigures figures = figuresOf(cross, {});
  CHECK(figures.terms == 2);
  CHECK(figures.separableProducts == 12);
  CHECK(figuresOf(writtenOut(filterFrom("gaussian:sigma=1,order_x=1")), {}).terms == 1);
  CHECK(figuresOf(writtenOut(filterFrom("dog:sigma=1", kFlatGrid)), {}).terms == 2);
  CHECK(figuresOf(test::fullRank({7, 7, 1}, {3, 3, 0}), {}).terms == 7);
  Stencil nothing;
  nothing.dense = {{3, 3, 1}, {1, 1, 0}, std::vector<double>(9, 0.0)};
  CHECK(figuresOf(nothing, {}).terms == 0);
}

TEST_CASE("impulse answers of linear filters are the mirrored taps, by the reference, too") {
  const FilterGrid grid = GENERATE(FilterGrid{}, kFlatGrid);
  for (const char* spec : {"sobel:axis=x", "box:size=4", "gaussian:sigma=0.8,order_y=1", "laplacian", "sharpen"}) {
    INFO(spec);
    const FilterProgram program = asProgram(makePart(parseFilterSpec(spec), grid));
    const std::int64_t offset = grid.dimensions == 3 ? 1 : 0;
    const ImpulsePlane known = impulsePlane(filterFrom(spec, grid), 2, offset);
    const ImpulsePlane computed = impulsePlane(program, program.nodes.size() - 1, grid, 2, offset, {});
    CHECK(known.lowest == computed.lowest);
    CHECK(known.highest == computed.highest);
    CHECK(known.offset == computed.offset);
    REQUIRE(known.values.size() == computed.values.size());
    for (std::size_t i = 0; i < known.values.size(); ++i)
      CHECK(known.values[i] == Approx(computed.values[i]).margin(1e-15));
    CHECK(known.largest > 0);
  }
  // x, then y: the derivative at a place is high before the impulse and low behind it.
  const ImpulsePlane slope = impulsePlane(filterFrom("sobel:axis=x,normalize=false", kFlatGrid), 2, 0);
  CHECK(slope.values == std::vector<double>{1, 0, -1, 2, 0, -2, 1, 0, -1});
}

TEST_CASE("answers of filters that are not linear are computed") {
  const auto answer = [](const char* spec) {
    const FilterProgram program = asProgram(makePart(parseFilterSpec(spec), kFlatGrid));
    return impulsePlane(program, program.nodes.size() - 1, kFlatGrid, 2, 0, {});
  };
  CHECK(answer("median:size=3").largest == 0);
  CHECK(answer("maximum:size=3").values == std::vector<double>(9, 1.0));
  // Two windows: the result of one is the data of the other.
  const ImpulsePlane closed = answer("closing:size=3");
  CHECK(closed.columns() == 5);
  CHECK(closed.values[12] == 1);
  CHECK(std::ranges::count(closed.values, 0.0) == 24);
  // Minutes by the reference.
  FilterProgram heavy = asProgram(makePart(parseFilterSpec("nlmeans:search=15,patch=3"), {}));
  heavy.nodes.push_back({heavy.nodes[0].op, {0}});
  CHECK_THROWS_AS(impulsePlane(heavy, heavy.nodes.size() - 1, {}, 2, 0, {}), Error);
}

TEST_CASE("a measured answer has the taps of what is linear") {
  const FilterGrid grid = GENERATE(FilterGrid{}, kFlatGrid);
  const auto measured = [&](const char* spec) {
    const FilterProgram program = asProgram(makePart(parseFilterSpec(spec), grid));
    return measuredTaps(program, program.nodes.size() - 1, grid, {});
  };
  for (const char* spec : {"sobel:axis=x", "box:size=4", "laplacian", "gaussian:sigma=0.8,order_y=1"}) {
    INFO(spec);
    const DenseTaps known = filterFrom(spec, grid).expanded(), found = measured(spec);
    CHECK(found.size == known.size);
    CHECK(found.anchor == known.anchor);
    REQUIRE(found.weights.size() == known.weights.size());
    for (std::size_t i = 0; i < known.weights.size(); ++i)
      CHECK(found.weights[i] == Approx(known.weights[i]).margin(1e-15));
  }
  // A formula that is linear but for a constant, which is everywhere.
  const DenseTaps slope = measured("formula:e=source[1,0] - source[-2,0] + 100");
  CHECK(slope.size == std::array<std::int64_t, 3>{4, 1, 1});
  CHECK(slope.anchor == std::array<std::int64_t, 3>{2, 0, 0});
  CHECK(slope.weights == std::vector<double>{-1, 0, 0, 1});
  CHECK(measured("median").weights == std::vector<double>(grid.dimensions == 3 ? 27 : 9, 0.0));
}

TEST_CASE("figures of the largest filters take no time, and a stop is followed") {
  Stencil huge;
  SeparableTerm term;
  for (AxisTaps& axis : term.axis) axis.weights.assign(1025, 1.0);
  huge.terms = {term};
  const FilterFigures figures = figuresOf(huge, {});
  CHECK(figures.sum == 1025.0 * 1025 * 1025);
  CHECK(figures.absoluteSum.value() == figures.sum);
  CHECK(figures.sigma[2].value() == Approx(std::sqrt((1025.0 * 1025 - 1) / 12)));
  CHECK(figures.center[0] == Approx(512));
  huge.terms.push_back(term);
  CHECK_FALSE(figuresOf(huge, {}).absoluteSum);
  CHECK(figuresOf(huge, {}).terms == 2);
  std::stop_source stop;
  stop.request_stop();
  Control control;
  control.stop = stop.get_token();
  CHECK_THROWS_AS(figuresOf(filterFrom("box"), control), Canceled);
  CHECK_THROWS_AS(spectrum(filterFrom("laplacian"), {{{0.1}, {0.1}, {0.1}}}, control), Canceled);
  const FilterProgram median = asProgram(makePart(parseFilterSpec("median:size=5"), {}));
  CHECK_THROWS_AS(impulsePlane(median, 0, {}, 2, 0, control), Canceled);
}
