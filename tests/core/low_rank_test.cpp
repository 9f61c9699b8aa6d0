// Dense taps as sums of few separable terms.
#include "core/filter/low_rank.h"

#include <cmath>
#include <limits>
#include <random>

#include "tests/support/catch.h"
#include "tests/support/taps.h"

using namespace sscope;
using test::fullRank;
using test::obliqueWave;
using test::tapsOf;
using test::twoBumps;

namespace {

// Each tap's error is within the remainder of it, and the sum of the terms' magnitudes within the amplification.
void requireTerms(const LowRank& found, const DenseTaps& taps) {
  Stencil sum, magnitude;
  sum.terms = magnitude.terms = found.terms;
  for (std::size_t t = 0; t < found.terms.size(); ++t)
    for (std::size_t a = 0; a < 3; ++a) {
      REQUIRE(found.terms[t].axis[a].anchor == taps.anchor[a]);
      sum.terms[t].axis[a].anchor = magnitude.terms[t].axis[a].anchor = 0;
      for (double& w : magnitude.terms[t].axis[a].weights) w = std::abs(w);
    }
  const DenseTaps all = sum.expanded(), scale = magnitude.expanded();
  REQUIRE(all.size == taps.size);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < taps.weights.size(); ++i) {
    const double tap = std::abs(taps.weights[i]);
    if (!(std::abs(all.weights[i] - taps.weights[i]) <= found.remainder * tap) ||
        !(scale.weights[i] <= found.amplification * tap * (1 + 1e-12)))
      ++wrong;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("dense taps are the sum of as many terms as they were made of") {
  struct Case {
    const char* what;
    Stencil stencil;
    std::size_t terms;
  };
  const auto laplacian = [](double x, double y, double z) {
    const double square = x * x + y * y + z * z;
    return (square - 13.1) * std::exp(-square / 9);
  };
  const std::vector<Case> cases{
      {"wave of an image", obliqueWave({27, 21, 1}, {3, 20, 0}), 2},
      {"wave across x", obliqueWave({1, 14, 9}, {0, 0, 8}), 2},
      {"wave of a volume", obliqueWave({9, 8, 7}, {4, 4, 3}), 4},
      {"an anchor outside", obliqueWave({11, 9, 1}, {-3, 15, 0}), 2},
      {"bumps", twoBumps({13, 11, 1}, {6, 5, 0}), 2},
      {"bumps of a volume", twoBumps({13, 13, 13}, {6, 6, 6}), 4},
      {"laplacian of a gaussian", tapsOf({15, 15, 1}, {7, 7, 0}, laplacian), 2},
      {"the same of a volume", tapsOf({11, 11, 11}, {5, 5, 5}, laplacian), 4},
  };
  for (const Case& one : cases) {
    INFO(one.what);
    const auto found = lowRank(one.stencil.dense, 1e-12, 8);
    REQUIRE(found.has_value());
    CHECK(found->terms.size() == one.terms);
    CHECK(found->remainder <= 1e-12);
    requireTerms(*found, one.stencil.dense);
    CHECK_FALSE(lowRank(one.stencil.dense, 1e-12, one.terms - 1).has_value());
  }
}

TEST_CASE("terms leave no more of a tap than they may, and no more of them are made than that takes") {
  // Every tap is off by a share of itself.
  Stencil rough = twoBumps({19, 17, 1}, {9, 8, 0});
  std::mt19937 random(3);
  for (double& w : rough.dense.weights) w *= 1 + 1e-7 * (std::ldexp(random(), -32) - 0.5);
  const auto coarse = lowRank(rough.dense, 1e-6, 12), fine = lowRank(rough.dense, 1e-9, 17);
  REQUIRE(coarse.has_value());
  CHECK(coarse->terms.size() == 2);
  CHECK(coarse->remainder <= 1e-6);
  CHECK(coarse->remainder > 1e-9);
  requireTerms(*coarse, rough.dense);
  REQUIRE(fine.has_value());
  CHECK(fine->terms.size() > 4);
  requireTerms(*fine, rough.dense);
}

TEST_CASE("where taps are zero, so is every term, or there are none") {
  // Two boxes that share no line.
  const Stencil apart = tapsOf({12, 10, 1}, {0, 0, 0}, [](double x, double y, double) {
    return x < 0 && y < 0 ? 0.5 : x > 0 && y > 0 ? 0.25 * x : 0;
  });
  const auto found = lowRank(apart.dense, 1e-12, 4);
  REQUIRE(found.has_value());
  CHECK(found->terms.size() == 2);
  CHECK(found->amplification == 1);
  requireTerms(*found, apart.dense);
  // The zeros of a disc are not products of lines.
  const Stencil disc = tapsOf({21, 21, 1}, {10, 10, 0}, [](double x, double y, double) {
    return x * x + y * y < 90 ? std::exp(-(x * x + y * y) / 50) : 0;
  });
  CHECK_FALSE(lowRank(disc.dense, 1e-6, 16).has_value());
  CHECK(lowRankSum(disc.dense, Precision::f32) == nullptr);
}

TEST_CASE("terms that cancel are summed in double precision, or not at all") {
  const auto bumps = lowRankSum(twoBumps({15, 15, 1}, {7, 7, 0}).dense, Precision::f32);
  REQUIRE(bumps);
  CHECK_FALSE(bumps->wide);
  CHECK(bumps->terms.size() == 2);
  const DenseTaps wave = obliqueWave({15, 15, 1}, {7, 7, 0}).dense;
  const auto wide = lowRankSum(wave, Precision::f32);
  REQUIRE(wide);
  CHECK(wide->wide);
  CHECK(lowRankSum(wave, Precision::f64) == nullptr);
  // Sums of f32 may lose what is flushed to zero before it is multiplied.
  Stencil large = twoBumps({15, 15, 1}, {7, 7, 0});
  for (double& w : large.dense.weights) w *= 1e6;
  REQUIRE(lowRankSum(large.dense, Precision::f32));
  CHECK(lowRankSum(large.dense, Precision::f32)->wide);
}

TEST_CASE("taps of full rank, products of lines and taps that are no numbers are no sums of few terms") {
  CHECK(lowRankSum(fullRank({15, 15, 1}, {0, 0, 0}).dense, Precision::f32) == nullptr);
  CHECK(lowRankSum(fullRank({7, 7, 7}, {0, 0, 0}).dense, Precision::f32) == nullptr);
  CHECK(lowRankSum(fullRank({3, 3, 1}, {0, 0, 0}).dense, Precision::f32) == nullptr);
  const Stencil line = tapsOf({9, 9, 9}, {4, 4, 4}, [](double x, double y, double z) {
    return std::exp(-(x * x + 2 * y * y + 3 * z * z) / 20);
  });
  CHECK(lowRankSum(line.dense, Precision::f32) == nullptr);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e31}) {
    Stencil bumps = twoBumps({15, 15, 1}, {7, 7, 0});
    bumps.dense.weights[7] = bad;
    CHECK(lowRankSum(bumps.dense, Precision::f32) == nullptr);
    if (!std::isfinite(bad)) CHECK_FALSE(lowRank(bumps.dense, 1e-6, 15).has_value());
  }
  Stencil none = twoBumps({15, 15, 1}, {7, 7, 0});
  for (double& w : none.dense.weights) w = 0;
  CHECK_FALSE(lowRank(none.dense, 1e-6, 15).has_value());
}
