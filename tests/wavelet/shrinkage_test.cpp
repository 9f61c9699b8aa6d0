// Rules that find thresholds, against their definitions, and what denoising with them gains.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <vector>

#include "core/base/error.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/noise_estimate.h"
#include "core/wavelet/job/denoise_job.h"
#include "core/wavelet/shrinkage.h"
#include "tests/support/catch.h"
#include "tests/support/processor.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

std::vector<double> magnitudesIn(const Volume& volume, const Box& box) {
  std::vector<double> list;
  for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z)
    for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y)
      for (std::int64_t x = box.begin[0]; x < box.end[0]; ++x) list.push_back(std::abs(volume.value(x, y, z)));
  std::sort(list.begin(), list.end());
  return list;
}

double meanSquare(const std::vector<double>& list) {
  return std::inner_product(list.begin(), list.end(), list.begin(), 0.0) / static_cast<double>(list.size());
}

// Stein's estimate of the risk at a threshold, over sigma^2.
double riskAt(const std::vector<double>& magnitudes, double threshold, double sigma) {
  double risk = static_cast<double>(magnitudes.size());
  for (const double magnitude : magnitudes)
    risk += std::pow(std::min(magnitude, threshold) / sigma, 2) - (magnitude <= threshold ? 2 : 0);
  return risk;
}

// Noise of a standard deviation, and in every band something that is none.
Volume coefficientsWith(const Pyramid& pyramid, double sigma, ElementType type) {
  Volume volume({pyramid.extent[0], pyramid.extent[1], pyramid.extent[2], 1}, ElementType::f64);
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, sigma);
  for (double& value : volume.elements<double>()) value = noise(random) + (random() % 5 == 0 ? 4 * noise(random) : 0);
  return convertedToReal(volume, type, {});
}

struct Noisy {
  Volume clean, noisy;
};

// Shepp and Logan's head of ten ellipsoids in three dimensions, between 0 and 1: value, half axes, center, and the
// angle about z in degrees.
constexpr double kEllipsoids[10][8] = {{1, .69, .92, .81, 0, 0, 0, 0},        {-.8, .6624, .874, .78, 0, -.0184, 0, 0},
                                       {-.2, .11, .31, .22, .22, 0, 0, -18},  {-.2, .16, .41, .28, -.22, 0, 0, 18},
                                       {.1, .21, .25, .41, 0, .35, -.15, 0},  {.1, .046, .046, .05, 0, .1, .25, 0},
                                       {.1, .046, .046, .05, 0, -.1, .25, 0}, {.1, .046, .023, .05, -.08, -.605, 0, 0},
                                       {.1, .023, .023, .02, 0, -.606, 0, 0}, {.1, .023, .046, .02, .06, -.605, 0, 0}};

double head(double x, double y, double z) {
  double sum = 0;
  for (const auto& [value, a, b, c, x0, y0, z0, degrees] : kEllipsoids) {
    const double angle = degrees * std::numbers::pi / 180, dx = x - x0, dy = y - y0;
    const double u = std::cos(angle) * dx + std::sin(angle) * dy, v = std::cos(angle) * dy - std::sin(angle) * dx;
    if (u * u / (a * a) + v * v / (b * b) + (z - z0) * (z - z0) / (c * c) <= 1) sum += value;
  }
  return sum;
}

Noisy sheppLogan(std::int64_t size, double sigma) {
  Noisy result;
  result.clean = Volume({size, size, size, 1}, ElementType::f32);
  const double half = static_cast<double>(size - 1) / 2;
  const auto at = [half](std::int64_t i) { return (static_cast<double>(i) - half) / half; };
  auto value = result.clean.elements<float>().begin();
  for (std::int64_t z = 0; z < size; ++z)
    for (std::int64_t y = 0; y < size; ++y)
      for (std::int64_t x = 0; x < size; ++x) *value++ = static_cast<float>(head(at(x), at(y), at(z)));
  result.noisy = result.clean.clone();
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, sigma);
  for (float& one : result.noisy.elements<float>()) one = static_cast<float>(one + noise(random));
  return result;
}

// dB over the range of the clean data.
double psnr(const Volume& volume, const Volume& clean) {
  const auto a = volume.elements<float>(), b = clean.elements<float>();
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    squares += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
  const auto [low, high] = std::minmax_element(b.begin(), b.end());
  return 10 * std::log10(std::pow(static_cast<double>(*high - *low), 2) * static_cast<double>(a.size()) / squares);
}

}  // namespace

TEST_CASE("BayesShrink's thresholds are those of its formula, band by band") {
  for (const ElementType type : {ElementType::f64, ElementType::f32}) {
    const Pyramid pyramid = pyramidFor({32, 24, 16}, 0, 3);
    const Volume volume = coefficientsWith(pyramid, 2, type);
    const Shrinkage found = shrinkageFor(volume.view(), pyramid, ShrinkageRule::Bayes, ThresholdMode::Soft, 2.0);
    const auto bands = pyramid.bands();
    REQUIRE(found.thresholds.size() == bands.size());
    CHECK(found.thresholds[0] == 0);
    for (std::size_t b = 1; b < bands.size(); ++b) {
      INFO(bands[b].name);
      const std::vector<double> magnitudes = magnitudesIn(volume, bands[b].box);
      const double signal = meanSquare(magnitudes) - 4;
      CHECK(found.thresholds[b] ==
            Approx(signal > 0 ? std::min(4 / std::sqrt(signal), magnitudes.back()) : magnitudes.back()));
    }
    // What is less than the noise goes, whole.
    const Shrinkage all = shrinkageFor(volume.view(), pyramid, ShrinkageRule::Bayes, ThresholdMode::Soft, 100.0);
    for (std::size_t b = 1; b < bands.size(); ++b)
      CHECK(all.thresholds[b] == magnitudesIn(volume, bands[b].box).back());
    CHECK(shrinkageFor(volume.view(), pyramid, ShrinkageRule::Bayes, ThresholdMode::Soft, 0.0).thresholds ==
          std::vector<double>(bands.size(), 0.0));
  }
}

TEST_CASE("SURE's thresholds have the least estimated risk of all") {
  const double sigma = 1.5;
  const Pyramid pyramid = pyramidFor({48, 32, 16}, 0, 2);
  const Volume volume = coefficientsWith(pyramid, sigma, ElementType::f64);
  const Shrinkage found = shrinkageFor(volume.view(), pyramid, ShrinkageRule::Sure, ThresholdMode::Soft, sigma);
  const auto bands = pyramid.bands();
  for (std::size_t b = 1; b < bands.size(); ++b) {
    INFO(bands[b].name);
    const std::vector<double> magnitudes = magnitudesIn(volume, bands[b].box);
    const auto n = static_cast<double>(magnitudes.size());
    const double universal = std::min(sigma * std::sqrt(2 * std::log(n)), magnitudes.back());
    double least = n;
    for (const double threshold : magnitudes)
      if (threshold <= universal) least = std::min(least, riskAt(magnitudes, threshold, sigma));
    CHECK(found.thresholds[b] <= universal * (1 + 1e-12));
    CHECK(riskAt(magnitudes, found.thresholds[b], sigma) <= least + 5e-3 * n);
    CHECK(riskAt(magnitudes, found.thresholds[b], sigma) < riskAt(magnitudes, universal, sigma));
  }
  // Noise alone is taken away.
  Volume noise = volume.clone();
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal(0, sigma);
  for (double& value : noise.elements<double>()) value = normal(random);
  const Shrinkage universal =
      shrinkageFor(std::as_const(noise).view(), pyramid, ShrinkageRule::Sure, ThresholdMode::Soft, sigma);
  CHECK(universal.finest() > 1.5 * sigma);
}

TEST_CASE("VisuShrink has one threshold, and a given sigma is taken") {
  const Pyramid pyramid = pyramidFor({40, 33, 1}, 0, 2);
  const Volume volume = test::randomVolume({40, 36, 1, 1}, ElementType::f32, 3);
  const Shrinkage found = shrinkageFor(volume.view(), pyramid, ShrinkageRule::Visu, ThresholdMode::Soft, 3.0);
  CHECK(found.sigma == 3);
  for (std::size_t b = 1; b < found.thresholds.size(); ++b)
    CHECK(found.thresholds[b] == 3 * std::sqrt(2 * std::log(40.0 * 33)));
  CHECK(shrinkageFor(volume.view(), pyramid, ShrinkageRule::Visu, ThresholdMode::Soft).sigma ==
        suggestThreshold(volume.view(), pyramid).sigma);
  CHECK_THROWS_AS(
      static_cast<void>(shrinkageFor(volume.view(), pyramid, ShrinkageRule::Bayes, ThresholdMode::Soft, -1.0)), Error);
  for (const ShrinkageRule rule : {ShrinkageRule::Bayes, ShrinkageRule::Sure, ShrinkageRule::Visu})
    CHECK(parseShrinkageRule(toString(rule)) == rule);
  CHECK_FALSE(parseShrinkageRule("hope"));
}

TEST_CASE("bands are found by level and direction") {
  for (const auto& extent : {std::array<std::int64_t, 3>{16, 8, 8}, {16, 8, 1}, {16, 1, 1}, {1, 8, 8}, {8, 1, 8}}) {
    const Pyramid pyramid = pyramidFor(extent, 0, 3);
    const auto bands = pyramid.bands();
    for (std::size_t b = 0; b < bands.size(); ++b) {
      unsigned high = 0;
      for (unsigned a = 0; a < 3; ++a) high |= bands[b].high[a] ? 1U << a : 0U;
      CHECK(pyramid.bandIndex(bands[b].level, high) == b);
    }
  }
}

TEST_CASE("denoising a phantom gains as much as other programs do") {
  test::Processor machine;
  struct Case {
    double sigma, bayes, spun;
  };
  // What scikit-image's BayesShrink reaches on such data, without and with one shift of cycle spinning.
  for (const Case& known : {Case{0.05, 29.95, 30.49}, Case{0.15, 23.68, 24.73}}) {
    const Noisy data = sheppLogan(96, known.sigma);
    INFO("noise " << known.sigma << ": " << psnr(data.noisy, data.clean) << " dB");
    DenoiseJob job;
    job.dwt.levels = denoisingLevels(data.noisy.shape(), 0);
    CHECK(job.dwt.levels == 3);
    const DenoiseResult once = denoise(machine.engines, machine.variants, job, data.noisy, {});
    CHECK(once.sigma == Approx(known.sigma).epsilon(0.1));
    CHECK(psnr(once.volume, data.clean) > known.bayes);
    job.shifts = 1;
    const DenoiseResult spun = denoise(machine.engines, machine.variants, job, data.noisy, {});
    CHECK(psnr(spun.volume, data.clean) > known.spun);
    CHECK(spun.report.operations == Approx(8 * once.report.operations));
    job.shifts = 0;
    job.rule = ShrinkageRule::Bayes;
    CHECK(psnr(denoise(machine.engines, machine.variants, job, data.noisy, {}).volume, data.clean) > known.bayes - 0.3);
  }
}

TEST_CASE("cycle spinning does not depend on where the data begin, once all shifts are there") {
  test::Processor machine;
  const Volume data = test::randomVolume({16, 24, 1, 1}, ElementType::f64, 3);
  DenoiseJob job;
  job.dwt.wavelet = "db2";
  job.dwt.levels = 2;
  job.threshold = 0.3;
  job.shifts = 3;  // 2^levels - 1: the undecimated transform's result
  const Volume here = denoise(machine.engines, machine.variants, job, data, {}).volume;
  Volume moved = data.clone();
  for (std::int64_t y = 0; y < 24; ++y)
    for (std::int64_t x = 0; x < 16; ++x)
      moved.elements<double>()[static_cast<std::size_t>((y + 5) % 24 * 16 + (x + 3) % 16)] = data.value(x, y, 0);
  const Volume there = denoise(machine.engines, machine.variants, job, moved, {}).volume;
  double worst = 0, change = 0;
  for (std::int64_t y = 0; y < 24; ++y)
    for (std::int64_t x = 0; x < 16; ++x) {
      worst = std::max(worst, std::abs(there.value((x + 3) % 16, (y + 5) % 24, 0) - here.value(x, y, 0)));
      change = std::max(change, std::abs(here.value(x, y, 0) - data.value(x, y, 0)));
    }
  CHECK(worst < 1e-13);
  CHECK(change > 0.05);
}

TEST_CASE("what cannot be denoised is refused, and a stop is heard between shifts") {
  test::Processor machine;
  const Volume data = test::randomVolume({16, 16, 8, 2}, ElementType::f32, 3);
  DenoiseJob job;
  for (const int shifts : {-1, kMostShifts + 1}) {
    job.shifts = shifts;
    CHECK_THROWS_AS(static_cast<void>(denoise(machine.engines, machine.variants, job, data, {})), Error);
  }
  job.shifts = 1;
  CHECK(denoise(machine.engines, machine.variants, job, data, {}).volume.shape() == data.shape());
  std::stop_source stop;
  Control control;
  control.stop = stop.get_token();
  double last = 0;
  control.progress = [&](double fraction, std::string_view) {
    CHECK(fraction >= last - 1e-9);
    last = fraction;
    if (fraction > 0.5) stop.request_stop();
  };
  CHECK_THROWS_AS(static_cast<void>(denoise(machine.engines, machine.variants, job, data, control)), Canceled);
  CHECK(last < 0.8);
  job.sigma = -1;
  CHECK_THROWS_AS(static_cast<void>(denoise(machine.engines, machine.variants, job, data, {})), Error);
}

// Noise in a cylinder that fills two fifths of the data, and a constant around it.
TEST_CASE("the noise is found where most of the data are constant") {
  test::Processor machine;
  for (const float around : {0.0F, 1000.0F})
    for (const std::int64_t depth : {std::int64_t{24}, std::int64_t{1}}) {
      INFO("around " << around << ", " << depth << " slices");
      Volume data({128, 128, depth, 1}, ElementType::f32);
      std::mt19937_64 random(3);
      std::normal_distribution<double> noise(0, 0.05);
      auto value = data.elements<float>().begin();
      for (std::int64_t z = 0; z < depth; ++z)
        for (std::int64_t y = 0; y < 128; ++y)
          for (std::int64_t x = 0; x < 128; ++x) {
            const double distance = std::hypot(static_cast<double>(x) - 63.5, static_cast<double>(y) - 63.5);
            *value++ = distance < 46 ? static_cast<float>(around + 1 + noise(random)) : around;
          }
      DenoiseJob job;
      job.dwt.levels = 2;
      const DenoiseResult found = denoise(machine.engines, machine.variants, job, data, {});
      CHECK(found.sigma == Approx(0.05).epsilon(0.15));
      CHECK(found.notice.empty());
      CHECK(found.zeroShare > 0.5);
      CHECK(estimatedNoise(data.view(), {}) == Approx(0.05).epsilon(0.15));
    }
  // There is none, and that is told, unless somebody knows it.
  Volume flat({32, 32, 1, 1}, ElementType::f32);
  std::ranges::fill(flat.elements<float>(), 7.0F);
  DenoiseJob job;
  const DenoiseResult none = denoise(machine.engines, machine.variants, job, flat, {});
  CHECK(none.sigma == 0);
  CHECK_THAT(none.notice, Catch::Matchers::ContainsSubstring("no noise was found"));
  job.sigma = 0;
  CHECK(denoise(machine.engines, machine.variants, job, flat, {}).notice.empty());
}

TEST_CASE("hard thresholds are found for hard thresholding") {
  test::Processor machine;
  for (const double sigma : {0.05, 0.15}) {
    const Noisy data = sheppLogan(64, sigma);
    DenoiseJob job;
    job.dwt.levels = 3;
    const auto reached = [&](ShrinkageRule rule, ThresholdMode mode) {
      job.rule = rule;
      job.mode = mode;
      return psnr(denoise(machine.engines, machine.variants, job, data.noisy, {}).volume, data.clean);
    };
    const double soft = reached(ShrinkageRule::Sure, ThresholdMode::Soft);
    for (const ShrinkageRule rule : {ShrinkageRule::Sure, ShrinkageRule::Bayes}) {
      INFO(toString(rule) << ", noise " << sigma << ", soft " << soft);
      CHECK(reached(rule, ThresholdMode::Hard) > soft - 1.5);
    }
  }
}
