// The Wavelet room without a window: what it computes, what it keeps, and that the newest setting wins.

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <random>
#include <vector>

#include "core/base/error.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/wavelet/job/transform_job.h"
#include "core/wavelet/job/wavelet_pictures.h"
#include "core/wavelet/job/wavelet_runner.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;

namespace {

// A smooth bump with noise of this standard deviation.
Volume noisyBump(const VolumeShape& shape, double sigma) {
  Volume volume(shape, ElementType::f64);
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, sigma);
  const auto values = volume.elements<double>();
  std::size_t i = 0;
  for (std::int64_t z = 0; z < shape.nz; ++z)
    for (std::int64_t y = 0; y < shape.ny; ++y)
      for (std::int64_t x = 0; x < shape.nx; ++x) {
        const double r = std::hypot(static_cast<double>(x - shape.nx / 2), static_cast<double>(y - shape.ny / 2),
                                    static_cast<double>(z - shape.nz / 2));
        values[i++] = 100 * std::exp(-r * r / 200) + (sigma > 0 ? noise(random) : 0);
      }
  return volume;
}

struct WaveletFixture {
  EngineSet engines;
  VariantTable variants;

  WaveletFixture() {
    addCpuEngines(engines);
    addCpuVariants(variants);
  }
  static WaveletJob job(Volume volume) {
    WaveletJob job;
    job.input = std::make_shared<const Volume>(std::move(volume));
    job.inputIdentity = 1;
    return job;
  }
};

double rms(const Volume& a, const Volume& b) {
  const auto left = a.elements<double>(), right = b.elements<double>();
  double sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += (left[i] - right[i]) * (left[i] - right[i]);
  return std::sqrt(sum / static_cast<double>(left.size()));
}

}  // namespace

TEST_CASE("the suggested threshold takes most of the noise away") {
  WaveletFixture fixture;
  const VolumeShape shape{64, 60, 40};
  const Volume clean = noisyBump(shape, 0);
  WaveletPipeline pipeline(fixture.engines, fixture.variants);
  WaveletJob job = WaveletFixture::job(noisyBump(shape, 5));
  job.settings.shrinkage = "visu";
  const auto result = pipeline.run(job, {});
  CHECK(result->suggested == Approx(5 * std::sqrt(2 * std::log(64.0 * 60 * 40))).epsilon(0.1));
  CHECK(rms(*result->result, clean) < 0.4 * rms(*job.input, clean));
  CHECK(result->keptShare() < 0.1);
  CHECK(pipeline.verifyLast({}).verified);
  // Other rules have a threshold for each band; the transform is not done again for them.
  for (const char* rule : {"sure", "bayes"}) {
    INFO(rule);
    job.settings.shrinkage = rule;
    const auto other = pipeline.run(job, {});
    CHECK(other->forwardReused);
    CHECK(other->threshold == other->suggested);
    CHECK(rms(*other->result, clean) < 0.5 * rms(*job.input, clean));
    // Slices that come first are those of the whole.
    const auto preview = pipeline.preview(job, {});
    const auto& slice = *preview->result[0];
    double worst = 0;
    for (std::int64_t y = 0; y < shape.ny; ++y)
      for (std::int64_t x = 0; x < shape.nx; ++x)
        worst = std::max(worst, std::abs(slice.value(x, y, 0) - other->result->value(x, y, preview->at[2])));
    CHECK(worst < 1e-3);
  }
}

TEST_CASE("what did not change is not computed again") {
  WaveletFixture fixture;
  WaveletPipeline pipeline(fixture.engines, fixture.variants);
  WaveletJob job = WaveletFixture::job(noisyBump({33, 20, 1}, 1));
  job.settings.levels = 2;
  job.settings.automatic = false;
  const auto first = pipeline.run(job, {});
  CHECK_FALSE(first->forwardReused);
  CHECK(first->bands.size() == 7);  // an image
  CHECK(first->error.relativeL2 < 1e-13);
  job.settings.threshold = first->largest / 2;
  const auto second = pipeline.run(job, {});
  CHECK(second->forwardReused);
  CHECK(second->error.relativeL2 > 1e-6);
  CHECK(second->bands.back().before == first->bands.back().before);
  CHECK(second->bands.back().after < first->bands.back().after);
  job.settings.wavelet = "haar";
  CHECK_FALSE(pipeline.run(job, {})->forwardReused);
  // After an error the next job is as good as ever.
  WaveletJob wrong = job;
  wrong.settings.wavelet = "no such wavelet";
  CHECK_THROWS_AS(static_cast<void>(pipeline.run(wrong, {})), Error);
  CHECK(pipeline.run(job, {})->threshold == job.settings.threshold);
}

TEST_CASE("data that are not finite are not denoised, whatever was done with them before") {
  WaveletFixture fixture;
  WaveletPipeline pipeline(fixture.engines, fixture.variants);
  Volume holed = noisyBump({16, 12, 1}, 1);
  holed.elements<double>()[20] = NAN;
  WaveletJob job = WaveletFixture::job(std::move(holed));
  job.settings.transform = "magic";
  static_cast<void>(pipeline.run(job, {}));
  job.settings.transform = "dwt";
  for (int again = 0; again < 2; ++again)
    CHECK_THROWS_WITH(pipeline.run(job, {}), ContainsSubstring("NaN or infinite"));
}

TEST_CASE("a component of a color image is taken out") {
  WaveletFixture fixture;
  WaveletPipeline pipeline(fixture.engines, fixture.variants);
  WaveletJob job = WaveletFixture::job(test::randomVolume({16, 12, 1, 3}, ElementType::u8, 1));
  job.component = 2;
  const auto result = pipeline.run(job, {});
  CHECK(result->source->value(5, 6, 0) == job.input->value(5, 6, 0, 2));
}

TEST_CASE("errors between volumes are what the formulas say") {
  Volume a({2, 2, 1}, ElementType::f64), b({2, 2, 1}, ElementType::f64);
  const double left[] = {1, 2, 3, 9}, right[] = {1, 2, 3, 5};
  std::copy(std::begin(left), std::end(left), a.elements<double>().begin());
  std::copy(std::begin(right), std::end(right), b.elements<double>().begin());
  const auto [difference, error] = compare(a, b, {});
  CHECK(difference->value(1, 1, 0) == 4);
  CHECK(error.maximum == 4);
  CHECK(error.relativeL2 == Approx(4 / std::sqrt(39.0)));
  CHECK(error.psnr == Approx(20 * std::log10(4 / 2.0)));
  CHECK(std::isinf(compare(b, b, {}).second.psnr));
}

TEST_CASE("the picture of a pyramid shows details over four decades and hides zeros") {
  const Pyramid pyramid = pyramidFor({8, 8, 1}, 0, 1);
  Volume coefficients({8, 8, 1}, ElementType::f64);
  const auto values = coefficients.elements<double>();
  std::fill(values.begin(), values.end(), 0.0);
  values[7] = -50;   // along x
  values[6] = 0.5;   // a hundredth of it
  values[0] = 1000;  // an average
  const auto picture = pyramidPicture(coefficients, pyramid, pyramidStatistics(coefficients, pyramid, {}), {});
  CHECK(picture->value(7, 0, 0) == kPyramidWhite);
  CHECK(picture->value(6, 0, 0) == Approx(kPyramidWhite / 2.0).margin(1.5));
  CHECK(picture->value(5, 0, 0) == 0);
  CHECK(picture->value(0, 0, 0) == kPyramidWhite);
  CHECK(picture->geometry().unit.empty());
  Geometry fine;
  fine.spacing = {0.25, 0.5, 0.5};
  coefficients.setGeometry(fine);
  CHECK(pyramidPicture(coefficients, pyramid, {1, 0, 1}, {})->geometry().spacing == std::array<double, 3>{1, 2, 2});
}

TEST_CASE("slices that come first are those of the result") {
  WaveletFixture fixture;
  WaveletPipeline pipeline(fixture.engines, fixture.variants);
  for (const VolumeShape& shape : {VolumeShape{45, 38, 29}, VolumeShape{50, 41, 1}})
    for (const bool narrow : {false, true}) {
      Volume noisy = noisyBump(shape, 3);
      WaveletJob job = WaveletFixture::job(narrow ? convertedToReal(noisy, ElementType::f32, {}) : std::move(noisy));
      job.crosshair = {40, 3, shape.nz == 1 ? 0 : 17};
      job.settings.rule = narrow ? "hard" : "soft";
      job.settings.automatic = false;
      job.settings.threshold = 4;
      const auto preview = pipeline.preview(job, {});
      const auto result = pipeline.run(job, {});
      CHECK_FALSE(result->forwardReused);  // no run told of it before
      CHECK(pipeline.run(job, {})->forwardReused);
      CHECK(result->result->type() == (narrow ? ElementType::f32 : ElementType::f64));
      const double bound = narrow ? 2e-4 : 1e-11;
      const auto same = [&](const WaveletPreview::Slices& slices, const Volume& whole,
                            const std::array<std::int64_t, 3>& at, double margin) {
        for (std::size_t view = 0; view < (shape.nz == 1 ? 1U : 3U); ++view) {
          const VolumeShape n = slices[view]->shape();
          std::array<std::int64_t, 3> corner{};
          corner[2 - view] = at[2 - view];
          double largest = 0;
          for (std::int64_t z = 0; z < n.nz; ++z)
            for (std::int64_t y = 0; y < n.ny; ++y)
              for (std::int64_t x = 0; x < n.nx; ++x)
                largest = test::larger(largest, std::abs(slices[view]->value(x, y, z) -
                                                         whole.value(corner[0] + x, corner[1] + y, corner[2] + z)));
          INFO("view " << view << " of " << shape.text());
          CHECK(n.voxels() * (view == 0   ? whole.shape().nz
                              : view == 1 ? whole.shape().ny
                                          : whole.shape().nx) ==
                whole.shape().voxels());
          CHECK(largest <= margin);
        }
      };
      same(preview->result, *result->result, preview->at, bound);
      same(preview->difference, *result->difference, preview->at, bound + 1e-5);
      same(preview->pyramid, *result->pyramid, preview->pyramidAt, 0);
    }
}

TEST_CASE("slices that nobody sees are not computed") {
  WaveletFixture fixture;
  WaveletPipeline pipeline(fixture.engines, fixture.variants);
  WaveletJob job = WaveletFixture::job(noisyBump({16, 16, 16}, 1));
  job.previewed = {false, true, false};
  const auto preview = pipeline.preview(job, {});
  CHECK(preview->result[0] == nullptr);
  REQUIRE(preview->result[1] != nullptr);
  CHECK(preview->result[1]->shape() == VolumeShape{16, 1, 16, 1});
  CHECK(preview->pyramid[2] == nullptr);
}

TEST_CASE("every step of a run can be stopped") {
  WaveletFixture fixture;
  std::stop_source stopped;
  stopped.request_stop();
  const Control control{stopped.get_token(), {}};
  WaveletPipeline pipeline(fixture.engines, fixture.variants);
  WaveletJob job = WaveletFixture::job(noisyBump({32, 32, 32}, 1));
  CHECK_THROWS_AS(static_cast<void>(pipeline.run(job, control)), Canceled);
  const auto result = pipeline.run(job, {});
  // With everything kept from before, the next step is the threshold.
  CHECK_THROWS_AS(static_cast<void>(pipeline.run(job, control)), Canceled);
  CHECK_THROWS_AS(static_cast<void>(pipeline.preview(job, control)), Canceled);
  const Volume& coefficients = *result->coefficients;
  Volume copy = coefficients.clone();
  CHECK_THROWS_AS(
      static_cast<void>(applyThreshold(copy.view(), copy.view(), result->layout, 1, ThresholdMode::Soft, control)),
      Canceled);
  CHECK_THROWS_AS(static_cast<void>(bandEnergies(coefficients.view(), result->layout, control)), Canceled);
  CHECK_THROWS_AS(static_cast<void>(suggestThreshold(coefficients.view(), result->layout, control)), Canceled);
  CHECK_THROWS_AS(static_cast<void>(pyramidStatistics(coefficients, result->layout, control)), Canceled);
  CHECK_THROWS_AS(static_cast<void>(pyramidPicture(coefficients, result->layout, {1, 0, 1}, control)), Canceled);
  CHECK_THROWS_AS(static_cast<void>(compare(*result->result, *result->source, control)), Canceled);
  CHECK_THROWS_AS(static_cast<void>(cropped(*result->result, {5, 5, 5}, control)), Canceled);
  CHECK(pipeline.run(job, {})->error.relativeL2 == result->error.relativeL2);
}

TEST_CASE("of large data slices are told before the whole") {
  WaveletFixture fixture;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<WaveletNews> told;
  WaveletRunner runner(fixture.engines, fixture.variants, [&](WaveletNews news) {
    if (isProgress(news)) return;
    const std::lock_guard lock(mutex);
    told.push_back(std::move(news));
    changed.notify_all();
  });
  runner.submit(WaveletFixture::job(test::randomVolume({128, 128, 128}, ElementType::f32, 3)));
  std::unique_lock lock(mutex);
  REQUIRE(changed.wait_for(lock, std::chrono::minutes(1), [&] { return told.size() >= 2; }));
  CHECK(told[0].as<WaveletSlices>());
  CHECK(told[1].as<WaveletReady>());
}

TEST_CASE("the newest of many settings is computed and told last") {
  WaveletFixture fixture;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<WaveletNews> ready;
  std::atomic<int> failures{0};
  WaveletRunner runner(fixture.engines, fixture.variants, [&](WaveletNews news) {
    if (news.as<FailedNews>() != nullptr) ++failures;
    if (news.as<WaveletReady>() == nullptr) return;
    const std::lock_guard lock(mutex);
    ready.push_back(std::move(news));
    changed.notify_all();
  });
  WaveletJob job = WaveletFixture::job(noisyBump({48, 48, 48}, 2));
  job.settings.automatic = false;
  std::uint64_t last = 0;
  for (int i = 1; i <= 20; ++i) {
    job.settings.threshold = i;
    last = runner.submit(job);
  }
  std::unique_lock lock(mutex);
  REQUIRE(
      changed.wait_for(lock, std::chrono::minutes(1), [&] { return !ready.empty() && ready.back().request == last; }));
  CHECK(ready.back().as<WaveletReady>()->result->threshold == 20);
  CHECK(ready.size() < 20);
  CHECK(failures == 0);
}

TEST_CASE("a canceled transform says so, and the next one runs") {
  WaveletFixture fixture;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<WaveletNews> told;
  WaveletRunner runner(fixture.engines, fixture.variants, [&](WaveletNews news) {
    if (isProgress(news)) return;
    const std::lock_guard lock(mutex);
    told.push_back(std::move(news));
    changed.notify_all();
  });
  const auto waitFor = [&](const auto& wanted) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::minutes(1),
                            [&] { return std::any_of(told.begin(), told.end(), wanted); });
  };
  const auto isReady = [](const WaveletNews& news) { return news.as<WaveletReady>() != nullptr; };
  const auto isOver = [](const WaveletNews& news) { return news.as<CanceledNews>() || news.as<WaveletVerified>(); };
  const WaveletJob job = WaveletFixture::job(noisyBump({96, 96, 96}, 2));
  runner.submit(job);
  REQUIRE(waitFor(isReady));
  runner.cancel();  // stops the verification
  REQUIRE(waitFor(isOver));
  {
    const std::lock_guard lock(mutex);
    told.clear();
  }
  runner.submit(job);
  CHECK(waitFor(isReady));
}
