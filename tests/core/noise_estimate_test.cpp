// The noise that is estimated from data.
#include <cmath>
#include <limits>
#include <random>

#include "core/filter/noise_estimate.h"
#include "core/volume/volume.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"
#include "tests/support/volume_planes.h"

using namespace sscope;

namespace {

// Noise of a standard deviation on a slope with a step.
Volume noisy(const VolumeShape& shape, double sigma) {
  Volume volume(shape, ElementType::f32);
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, sigma);
  std::int64_t i = 0;
  for (float& value : volume.elements<float>()) {
    const std::int64_t x = i++ / shape.components % shape.nx;
    value = static_cast<float>((x < shape.nx / 2 ? 0.0 : 500.0) + 0.3 * static_cast<double>(x) + noise(random));
  }
  return volume;
}

}  // namespace

TEST_CASE("the noise of data is estimated beside slopes and steps, in images and volumes, of all components") {
  for (const VolumeShape& shape : {VolumeShape{200, 150, 1, 1}, VolumeShape{48, 40, 30, 1}, VolumeShape{150, 1, 100, 2},
                                   VolumeShape{1, 1, 4000, 1}})
    for (const double sigma : {0.5, 20.0}) {
      INFO(shape.nx << "x" << shape.ny << "x" << shape.nz << " " << sigma);
      CHECK(estimatedNoise(noisy(shape, sigma).view(), {}) == Approx(sigma).epsilon(0.06));
    }
  CHECK(estimatedNoise(noisy({300, 300, 40, 1}, 3).view(), {}) == Approx(3).epsilon(0.01));  // every fourth voxel
}

TEST_CASE("the noise of constant, tiny and broken data") {
  Volume constant({9, 9, 9, 1}, ElementType::u8);
  for (auto& value : constant.elements<std::uint8_t>()) value = 200;
  CHECK(estimatedNoise(constant.view(), {}) == 0);
  CHECK(estimatedNoise(test::randomVolume({2, 2, 1, 1}, ElementType::f32, 1).view(), {}) == 0);
  Volume broken = noisy({100, 100, 1, 1}, 2);
  for (std::size_t i = 0; i < 300; ++i) broken.elements<float>()[i * 31] = std::numeric_limits<float>::quiet_NaN();
  CHECK(estimatedNoise(broken.view(), {}) == Approx(2).epsilon(0.06));
  for (float& value : broken.elements<float>()) value = std::numeric_limits<float>::infinity();
  CHECK(estimatedNoise(broken.view(), {}) == 0);
}

TEST_CASE("edges of data that are flat otherwise are no noise, and noise within a mask is") {
  Volume ball({48, 48, 48, 1}, ElementType::u8), masked({48, 48, 48, 1}, ElementType::f32);
  const Volume noise = noisy({48, 48, 48, 1}, 4);
  std::size_t i = 0;
  for (int z = 0; z < 48; ++z)
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 48; ++x, ++i) {
        const bool within = (x - 24) * (x - 24) + (y - 24) * (y - 24) + (z - 24) * (z - 24) < 18 * 18;
        ball.elements<std::uint8_t>()[i] = within ? 100 : 0;
        masked.elements<float>()[i] = within ? noise.elements<float>()[i] : 0;
      }
  CHECK(estimatedNoise(ball.view(), {}) == 0);
  CHECK(estimatedNoise(masked.view(), {}) == Approx(4).epsilon(0.25));
}

TEST_CASE("the scale of data that are seen plane by plane has the same digits") {
  for (const VolumeShape& shape :
       {VolumeShape{300, 300, 40, 1}, VolumeShape{120, 110, 90, 2}, VolumeShape{700, 900, 1, 3},
        VolumeShape{50, 40, 2, 1}, VolumeShape{50, 40, 3, 1}, VolumeShape{900, 1, 1, 1}, VolumeShape{2, 2, 1, 1}}) {
    INFO(shape.text());
    Volume volume = noisy(shape, 3);
    volume.elements<float>()[1] = std::numeric_limits<float>::infinity();
    const DataScale whole = estimatedScale(volume.view(), {});
    const auto same = [&](const DataScale& other) {
      CHECK(other.noise == whole.noise);
      CHECK(other.range == whole.range);
      CHECK(other.low == whole.low);
    };
    CHECK(whole.range > 0);
    test::VolumePlanes source(volume);
    source.any = false;
    same(estimatedScale(source, {}));
    const ArraySpec spec = volume.spec();
    const std::int64_t planes = spec.extent[slowestAxis(spec.extent)];
    CHECK(source.planes == planes);  // each is read once
    // Shares of several, as ranks see them; some see nothing.
    ScaleSum all(spec);
    for (std::int64_t n = 0; n < 5; ++n) {
      ScaleSum share(spec);
      share.add(source, n * planes / 5, (n + 1) * planes / 5, {});
      all.add(share.seen());
    }
    same(all.scale());
  }
}
