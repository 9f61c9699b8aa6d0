// Curves, bands and thresholds.
#include <cmath>
#include <numeric>
#include <random>

#include "core/base/error.h"
#include "core/volume/volume.h"
#include "core/wavelet/curves.h"
#include "core/wavelet/pyramid.h"
#include "core/wavelet/threshold.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

TEST_CASE("scaling functions and wavelets are normalized, orthogonal and satisfy the two-scale relation") {
  for (const Wavelet& w : wavelets()) {
    INFO(w.name);
    constexpr int kDepth = 8;
    const SampledCurve phi = scalingFunction(w, kDepth), psi = waveletFunction(w, kDepth);
    REQUIRE(phi.values.size() == static_cast<std::size_t>(w.taps() - 1) * 256 + 1);
    REQUIRE(psi.values.size() == phi.values.size());
    CHECK(phi.begin + phi.step * static_cast<double>(phi.values.size() - 1) == w.taps() - 1);
    const double integral = std::accumulate(phi.values.begin(), phi.values.end(), 0.0) * phi.step;
    CHECK(integral == Approx(1).epsilon(1e-9));
    CHECK(std::accumulate(psi.values.begin(), psi.values.end(), 0.0) * psi.step == Approx(0).margin(1e-9));
    double square = 0, cross = 0;
    for (std::size_t i = 0; i < phi.values.size(); ++i) {
      square += phi.values[i] * phi.values[i] * phi.step;
      cross += phi.values[i] * psi.values[i] * phi.step;
    }
    CHECK(square == Approx(1).epsilon(w.order < 3 ? 2e-2 : 1e-4));
    CHECK(cross == Approx(0).margin(w.order < 3 ? 2e-2 : 1e-4));
    // The sum over all integer shifts is one everywhere.
    for (const std::size_t start : {std::size_t{0}, std::size_t{37}, std::size_t{128}}) {
      double sum = 0;
      for (std::size_t i = start; i < phi.values.size(); i += 256) sum += phi.values[i];
      CHECK(sum == Approx(1).epsilon(1e-9));
    }
  }
  CHECK_THROWS_AS(scalingFunction(waveletNamed("db2"), 17), Error);
}

TEST_CASE("spectra of a pair add up to two") {
  for (const Wavelet& w : wavelets()) {
    const auto low = magnitudeResponse(w.recLow, 65), high = magnitudeResponse(w.recHigh, 65);
    INFO(w.name);
    CHECK(low.front() == Approx(std::sqrt(2.0)));
    CHECK(low.back() == Approx(0).margin(1e-12));
    for (std::size_t i = 0; i < low.size(); ++i) CHECK(low[i] * low[i] + high[i] * high[i] == Approx(2));
  }
  const auto error = magicRoundTripError(8, 33);
  CHECK(std::abs(error.front()) < 1e-12);
  CHECK(std::abs(error[4]) < 1e-6);  // low frequencies come back
  CHECK(std::abs(error.back()) > 0.01);
}

TEST_CASE("bands cover the pyramid once") {
  for (const auto& extent : {std::array<std::int64_t, 3>{16, 8, 8}, {13, 1, 1}, {24, 20, 1}, {1, 9, 5}}) {
    const Pyramid p = pyramidFor(extent, 0, 2);
    std::int64_t voxels = 0;
    for (const PyramidBand& band : p.bands()) voxels += band.box.voxels();
    CHECK(voxels == p.extent[0] * p.extent[1] * p.extent[2]);
    CHECK(p.bands().size() == 1 + 2 * ((std::size_t{1} << p.dimensions()) - 1));
    CHECK(p.bands().front().averages());
    for (std::size_t a = 0; a < 3; ++a) CHECK(p.extent[a] % (p.axes[a] ? 4 : 1) == 0);
  }
  CHECK(pyramidFor({16, 8, 8}, 0, 1).bands().back().name == "HHH1");
  CHECK(pyramidFor({16, 8, 8}, 2, 3).dimensions() == 2);
  CHECK(pyramidFor({13, 1, 1}, 0, 4).extent[0] == 16);
  CHECK_THROWS_WITH(pyramidFor({16, 5, 1}, 0, 4),
                    Catch::Matchers::ContainsSubstring("the largest number of levels is 3"));
  CHECK_THROWS_AS(pyramidFor({1, 1, 1}, 0, 1), Error);
}

TEST_CASE("thresholds find the noise and remove it") {
  const Pyramid p = pyramidFor({64, 64, 1}, 0, 2);
  Volume volume({64, 64, 1, 1}, ElementType::f64);
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 3);
  for (double& value : volume.elements<double>()) value = noise(random);
  const ThresholdSuggestion suggestion = suggestThreshold(std::as_const(volume).view(), p);
  CHECK(suggestion.sigma == Approx(3).epsilon(0.1));
  CHECK(suggestion.threshold == Approx(suggestion.sigma * std::sqrt(2 * std::log(4096.0))));
  const double average = volume.value(3, 3, 0);
  volume.elements<double>()[40] = 100;  // of the finest level
  volume.elements<double>()[41] = -100;
  std::int64_t zeros = 0;
  for (const BandEnergy& band : applyThreshold(volume.view(), volume.view(), p, 20, ThresholdMode::Hard))
    zeros += band.zeros;
  CHECK(zeros == 64 * 64 - 16 * 16 - 2);
  CHECK(volume.value(40, 0, 0) == 100);
  static_cast<void>(applyThreshold(volume.view(), volume.view(), p, 20, ThresholdMode::Soft));
  CHECK(volume.value(40, 0, 0) == 80);
  CHECK(volume.value(41, 0, 0) == -80);
  CHECK(volume.value(3, 3, 0) == average);
  // What was made by repeating samples does not count.
  const Pyramid extended = pyramidFor({40, 33, 1}, 0, 4);
  REQUIRE(extended.extent == std::array<std::int64_t, 3>{48, 48, 1});
  Volume partly({48, 48, 1, 1}, ElementType::f64);
  for (std::int64_t y = 0; y < 48; ++y)
    for (std::int64_t x = 0; x < 48; ++x)
      partly.elements<double>()[static_cast<std::size_t>(y * 48 + x)] = x < 24 + 20 && y < 24 + 16 ? noise(random) : 0;
  const ThresholdSuggestion smaller = suggestThreshold(std::as_const(partly).view(), extended);
  CHECK(smaller.sigma == Approx(3).epsilon(0.15));
  CHECK(smaller.threshold == Approx(smaller.sigma * std::sqrt(2 * std::log(40.0 * 33))));
  const auto energies = bandEnergies(std::as_const(volume).view(), p);
  double share = 0;
  for (const BandEnergy& one : energies) share += one.share;
  CHECK(share == Approx(1));
  CHECK(energies.back().zeros == 32 * 32);
}
