// What filters see together, against what is known by analysis.
#include "core/filter/laboratory/bank_coverage.h"
#include "core/filter/families/recipe_text.h"

#include <cmath>
#include <numbers>

#include "core/filter/families/family.h"
#include "core/filter/laboratory/laboratory.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {

const FilterGrid kImageGrid{2, {1, 1, 1}, true};

Stencil filterOn(const char* spec, const FilterGrid& grid = kImageGrid) {
  return makeStencil(parseFilterSpec(spec), grid);
}

Stencil filterAlong(std::vector<double> weights, std::int64_t anchor = 0, std::size_t axis = 0) {
  SeparableTerm term;
  term.axis[axis] = {std::move(weights), anchor};
  Stencil filter;
  filter.terms = {std::move(term)};
  return filter;
}

BankCoverage coverageOf(const std::vector<Stencil>& filters, int dimensions = 2) {
  return bankCoverage(filters, coveragePoints(filters, dimensions), {});
}

}  // namespace

TEST_CASE("Haar's pair is a tight frame, and one of the two alone is none") {
  const Stencil low = filterAlong({0.5, 0.5}), high = filterAlong({0.5, -0.5});
  const FrameBounds pair = frameBounds(coverageOf({low, high}));
  CHECK(pair.tight);
  CHECK(pair.lower == Approx(1));
  CHECK(pair.upper == Approx(1));
  // All four products, in both axes.
  std::vector<Stencil> four;
  for (const double x : {0.5, -0.5})
    for (const double y : {0.5, -0.5}) {
      four.push_back(filterAlong({0.5, x}));
      four.back().terms[0].axis[1] = {{0.5, y}, 1};
    }
  const FrameBounds square = frameBounds(coverageOf(four));
  CHECK(square.tight);
  CHECK(square.upper == Approx(1));

  const FrameBounds alone = frameBounds(coverageOf({low}));
  CHECK_FALSE(alone.tight);
  CHECK(alone.lower == 0);  // at the highest frequency, cos^2(pi / 2)
  CHECK(alone.upper == Approx(1));
  CHECK(alone.lowerAt[0] == -0.5);
  CHECK(alone.upperAt[0] == 0);
}

TEST_CASE("the bounds are those of the sum of squared magnitudes") {
  // 1 + 4 sin^2(pi f): from 1 to 5.
  const FrameBounds bounds = frameBounds(coverageOf({filterAlong({1}), filterAlong({-1, 1})}));
  CHECK(bounds.lower == Approx(1));
  CHECK(bounds.upper == Approx(5));
  CHECK_FALSE(bounds.tight);
  CHECK(frameBounds(coverageOf({filterAlong({3})})).tight);
  CHECK(frameBounds(coverageOf({filterAlong({3})})).upper == Approx(9));
  CHECK_FALSE(frameBounds(coverageOf({filterAlong({0})})).tight);  // sees nothing
}

TEST_CASE("a coverage with fewer frequencies than coefficients is never called tight") {
  const std::vector<Stencil> far{filterAlong(
      [] {
        std::vector<double> weights(601);
        weights[300] = 1;
        return weights;
      }(),
      300)};
  const BankCoverage few = bankCoverage(far, {512, 64, 1}, {});
  CHECK_FALSE(few.everyFrequency);
  CHECK_FALSE(frameBounds(few).tight);
  const BankCoverage enough = bankCoverage(far, {1201, 4, 1}, {});
  CHECK(enough.everyFrequency);
  CHECK(frameBounds(enough).tight);
}

TEST_CASE("numbers of frequencies follow the longest filter of each axis, within limits") {
  const std::vector<Stencil> filters{filterAlong(std::vector<double>(33, 1.0)),
                                     filterAlong(std::vector<double>(101, 1.0), 0, 1)};
  CHECK(coveragePoints(filters, 2) == std::array<std::int64_t, 3>{128, 256, 1});
  CHECK(coveragePoints(filters, 3) == std::array<std::int64_t, 3>{64, 64, 32});
}

TEST_CASE("shells have the values of a round spectrum, and name the band that nothing sees") {
  const std::vector<Stencil> filters{filterOn("gaussian:sigma=2,truncate=6")};
  const BankCoverage coverage = coverageOf(filters);
  const RadialProfile profile = radialProfile(coverage, {1, 1, 1});
  REQUIRE(profile.frequency.size() > 40);
  CHECK(profile.frequency.front() == 0);
  CHECK(profile.frequency.back() == Approx(std::sqrt(0.5)).margin(profile.width));
  const auto power = [](double f) { return std::exp(-16 * std::numbers::pi * std::numbers::pi * f * f); };
  for (std::size_t n = 0; n < 10; ++n) {
    const double f = profile.frequency[n], half = profile.width / 2;
    CHECK(profile.highest[n] <= power(std::max(0.0, f - half)) * (1 + 1e-9));
    CHECK(profile.lowest[n] >= power(f + half) * (1 - 1e-6));
    CHECK(profile.lowest[n] <= profile.mean[n]);
    CHECK(profile.mean[n] <= profile.highest[n]);
  }
  // exp(-16 pi^2 f^2) = 0.01
  const double edge = std::sqrt(std::log(100.0)) / (4 * std::numbers::pi);
  const auto bands = unseenBands(profile, kUnseenShare);
  REQUIRE_FALSE(bands.empty());
  CHECK(bands.back().whole);
  CHECK(bands.back().from == Approx(edge).margin(2 * profile.width));
  CHECK(bands.back().to == Approx(profile.frequency.back() + profile.width / 2));
  // In voxels of 0.5 mm the same frequencies are twice as high per millimeter.
  CHECK(radialProfile(coverage, {0.5, 0.5, 0.5}).frequency.back() == Approx(2 * profile.frequency.back()));
  CHECK(unseenBands(radialProfile(coverageOf({filterAlong({1})}), {1, 1, 1}), kUnseenShare).empty());
}

TEST_CASE("what is seen in some directions only is named so") {
  const auto bands = unseenBands(radialProfile(coverageOf({filterOn("sobel:axis=x")}), {1, 1, 1}), kUnseenShare);
  REQUIRE_FALSE(bands.empty());
  CHECK(bands.front() == UnseenBand{0, bands.front().to, true});  // constant data
  bool partly = false;
  for (const UnseenBand& band : bands) partly |= !band.whole && band.from < 0.2 && band.to > 0.3;
  CHECK(partly);
}

TEST_CASE("orthogonal filters do not correlate, and scaled ones correlate fully") {
  const std::vector<Stencil> filters{
      filterOn("sobel:axis=x"),       filterOn("sobel:axis=y"),           filterOn("box:size=3"),
      filterAlong({-0.1, 0, 0.1}, 1), filterOn("sobel:axis=x,flip=true"), filterAlong({0})};
  const auto matrix = correlationMatrix(filters, {});
  const auto at = [&](std::size_t i, std::size_t j) { return matrix.at(i * filters.size() + j); };
  CHECK(at(0, 0) == Approx(1));
  CHECK(at(0, 1) == Approx(0).margin(1e-15));
  CHECK(at(0, 2) == Approx(0).margin(1e-15));
  CHECK(at(0, 4) == Approx(-1));
  // (-1, 0, 1) within (1, 2, 1) lines of it: 2 / sqrt(6).
  CHECK(at(0, 3) == Approx(2 / std::sqrt(6)));
  CHECK(at(3, 0) == at(0, 3));
  CHECK(at(5, 5) == 0);
}

TEST_CASE("inner products of dense taps, of terms and of both together are the same") {
  const auto asDense = [](const Stencil& filter) {
    Stencil other;
    other.dense = filter.expanded();
    return other;
  };
  const FilterGrid volume;
  const Stencil a = filterOn("gaussian:sigma=1,order_x=1", volume), b = filterOn("log:sigma=0.7", volume),
                c = filterOn("box:size=4", volume);
  for (const auto& [one, other] : {std::pair{a, a}, std::pair{a, c}, std::pair{b, c}, std::pair{c, b}}) {
    const double product = innerProduct(one, other, {});
    CHECK(innerProduct(asDense(one), other, {}) == Approx(product).margin(1e-15));
    CHECK(innerProduct(one, asDense(other), {}) == Approx(product).margin(1e-15));
    CHECK(innerProduct(asDense(one), asDense(other), {}) == Approx(product).margin(1e-15));
  }
  // Parseval: the mean of H_a conj(H_b).
  const auto f = centeredFrequencies(32);
  const auto ha = spectrum(a, {f, f, f}, {}), hc = spectrum(c, {f, f, f}, {});
  std::complex<double> mean = 0;
  for (std::size_t i = 0; i < ha.size(); ++i) mean += ha[i] * std::conj(hc[i]);
  CHECK(innerProduct(a, c, {}) == Approx(mean.real() / static_cast<double>(ha.size())).margin(1e-15));
}

TEST_CASE("a page of the laboratory has what it shows of a row and of the bank") {
  LaboratoryWish wish;
  for (const char* spec : {"gaussian:sigma=1,name=s", "sobel:axis=x,input=s,normalize=true,name=gx",
                           "sobel:axis=y,input=s,name=gy", "median:name=m", "formula:e=sqrt(gx^2+gy^2),name=edge"})
    wish.bank.filters.push_back(parseFilterSpec(spec));
  wish.row = "gx";
  wish.grid = kImageGrid;
  wish.view.page = "spectrum";
  const LaboratoryAnswer row = laboratory(wish, {});
  REQUIRE(row.filter);
  REQUIRE(row.filter->plane);
  CHECK_FALSE(row.bank);
  CHECK(row.filter->plane->values.size() == 128 * 128);
  CHECK(row.filter->plane->peak == Approx(1).epsilon(1e-3));  // sin(2 pi f) is 1 at a quarter
  wish.view.from = "source";
  const LaboratoryAnswer chain = laboratory(wish, {});
  CHECK(chain.filter->plane->peak < 0.9 * row.filter->plane->peak);
  wish.view.page = "curves";
  CHECK(laboratory(wish, {}).filter->lines.size() == 2);
  wish.view.page = "impulse";
  CHECK(laboratory(wish, {}).filter->figures->sumsToZero);
  wish.row = "edge";
  const LaboratoryAnswer edge = laboratory(wish, {});
  CHECK_FALSE(edge.filter->notLinear.empty());
  CHECK_FALSE(edge.filter->figures);
  REQUIRE(edge.filter->impulse);
  CHECK(edge.filter->impulse->largest > 0);
  // Its spectrum is that of this answer, which is measured once for all planes.
  wish.view.page = "spectrum";
  MeasuredRow measured;
  const LaboratoryAnswer answered = laboratory(wish, measured, {});
  REQUIRE(answered.filter->plane);
  double sum = 0;
  for (const double value : edge.filter->impulse->values) sum += value;
  CHECK(answered.filter->plane->values[64 * 128 + 64].real() == Approx(sum));
  CHECK(answered.filter->plane->peak == Approx(sum));  // nothing of it is negative
  const FilterProgram none;
  const auto taps = measured.taps(wish, none, 0, {});
  wish.view.frequency = 0.1;
  CHECK(measured.taps(wish, none, 0, {}) == taps);
  wish.row = "m";
  CHECK(laboratory(wish, measured, {}).filter->plane->peak == 0);
  wish.row = "edge";
  wish.view.page = "impulse";
  // A disabled row can be looked at, and a wrong one elsewhere does not matter.
  wish.bank.filters[2].enabled = false;
  wish.row = "gy";
  CHECK(laboratory(wish, {}).filter->figures);

  wish.bank.filters[2].enabled = true;
  wish.view.page = "correlation";
  const LaboratoryAnswer bank = laboratory(wish, {});
  REQUIRE(bank.bank);
  CHECK(bank.bank->names == std::vector<std::string>{"s", "gx", "gy"});
  CHECK(bank.bank->leftOut == std::vector<std::string>{"m", "edge"});
  CHECK(bank.bank->correlation.size() == 9);
  CHECK(bank.bank->correlation[5] == Approx(0).margin(1e-14));
  wish.view.page = "coverage";
  wish.bank.filters[0].intermediate = true;
  const LaboratoryAnswer coverage = laboratory(wish, {});
  CHECK(coverage.bank->names == std::vector<std::string>{"gx", "gy"});
  CHECK(coverage.bank->bounds.lower == 0);
  const CoveragePlane plane = planeOf(coverage.bank->coverage, 2, 0);
  CHECK(plane.values == coverage.bank->coverage.power);
}

TEST_CASE("planes of a coverage are cut across any axis") {
  const BankCoverage coverage = coverageOf({filterOn("sobel:axis=z", FilterGrid{})}, 3);
  const auto at = [&](std::size_t x, std::size_t y, std::size_t z) { return coverage.power[(z * 32 + y) * 32 + x]; };
  const CoveragePlane across = planeOf(coverage, 1, 0.26);
  CHECK(across.at == 0.25);
  CHECK(across.across == 0);
  CHECK(across.down == 2);
  CHECK(across.values[7 * 32 + 20] == at(20, 24, 7));
  CHECK(planeOf(coverage, 0, -0.5).values[3 * 32 + 9] == at(0, 9, 3));
}
