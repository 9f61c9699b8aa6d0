// Parts of the inverse transform, and order statistics without sorting.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "core/base/error.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/wavelet/box_inverse.h"
#include "core/wavelet/job/transform_job.h"
#include "tests/support/catch.h"
#include "tests/support/processor.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

double differenceIn(const Volume& part, const Volume& whole, const Box& box) {
  double largest = 0;
  for (std::int64_t z = 0; z < box.size(2); ++z)
    for (std::int64_t y = 0; y < box.size(1); ++y)
      for (std::int64_t x = 0; x < box.size(0); ++x)
        largest = std::max(
            largest, std::abs(part.value(x, y, z) - whole.value(box.begin[0] + x, box.begin[1] + y, box.begin[2] + z)));
  return largest;
}

}  // namespace

TEST_CASE("a part of the inverse transform is that part of the whole") {
  test::Processor machine;
  std::mt19937 random(5);
  for (const VolumeShape& shape : {VolumeShape{2, 1, 1}, VolumeShape{37, 1, 1}, VolumeShape{40, 24, 1},
                                   VolumeShape{16, 48, 24}, VolumeShape{33, 20, 18}})
    for (const char* name : {"haar", "db2", "db3", "sym4", "sym8", "db10"})
      for (const ElementType type : {ElementType::f64, ElementType::f32}) {
        const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
        const int levels = std::min(3, largestLevels(extent, transformedAxes(extent, 0)));
        DwtJob job;
        job.wavelet = name;
        job.levels = levels;
        const DwtResult there =
            dwtForward(machine.engines, machine.variants, job, test::randomVolume(shape, type, 2), {});
        const double threshold = 0.4;
        for (const ThresholdMode mode : {ThresholdMode::Soft, ThresholdMode::Hard}) {
          Volume kept = there.volume.clone();
          applyThreshold(there.volume.view(), kept.view(), there.pyramid, threshold, mode);
          const Volume whole = dwtInverse(machine.engines, machine.variants, job, kept, {}, {}).volume;
          for (int i = 0; i < 12; ++i) {
            Box box{{0, 0, 0}, there.pyramid.extent};
            for (std::size_t a = 0; a < 3; ++a) {
              // Slices along each axis, then any boxes.
              if (i < 6 && static_cast<std::size_t>(i % 3) != a) continue;
              const std::int64_t n = there.pyramid.extent[a];
              box.begin[a] = i == 0  ? 0
                             : i < 3 ? n - 1
                                     : static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
              box.end[a] = i < 6 ? box.begin[a] + 1
                                 : box.begin[a] + 1 +
                                       static_cast<std::int64_t>(random() % static_cast<unsigned>(n - box.begin[a]));
            }
            const Volume part = inverseOfBox(std::as_const(there.volume).view(), there.pyramid, waveletNamed(name), box,
                                             threshold, mode, {});
            INFO(name << " " << shape.text() << " " << toString(type) << " box " << i);
            REQUIRE(part.shape().voxels() == box.voxels());
            REQUIRE(differenceIn(part, whole, box) < (type == ElementType::f64 ? 1e-13 : 1e-5));
          }
        }
      }
}

TEST_CASE("a part outside the data is refused") {
  const Pyramid pyramid = pyramidFor({8, 8, 1}, 0, 1);
  const Volume coefficients = test::randomVolume({8, 8, 1}, ElementType::f32, 1);
  CHECK_THROWS_AS(static_cast<void>(inverseOfBox(coefficients.view(), pyramid, waveletNamed("haar"),
                                                 {{0, 0, 0}, {9, 8, 1}}, 0, ThresholdMode::Hard, {})),
                  Error);
}

TEST_CASE("the noise is the median of the finest details, without sorting them") {
  std::mt19937_64 random(3);
  for (const ElementType type : {ElementType::f64, ElementType::f32})
    for (const std::int64_t n : {2, 4, 6, 62, 64, 2000})
      for (const char* kind : {"noise", "few values", "huge", "holes"}) {
        Volume coefficients({n, 1, 1}, type);
        const Pyramid pyramid = pyramidFor({n, 1, 1}, 0, 1);
        std::vector<double> magnitudes;
        for (std::int64_t i = 0; i < n; ++i) {
          double value = std::normal_distribution<double>(0, 3)(random);
          if (std::string(kind) == "few values") value = static_cast<double>(random() % 3) - 1;
          if (std::string(kind) == "huge") value *= 1e30;
          if (std::string(kind) == "holes" && random() % 3 == 0) value = std::numeric_limits<double>::quiet_NaN();
          if (type == ElementType::f32) {
            coefficients.elements<float>()[static_cast<std::size_t>(i)] = static_cast<float>(value);
            value = static_cast<double>(static_cast<float>(value));
          } else {
            coefficients.elements<double>()[static_cast<std::size_t>(i)] = value;
          }
          if (i >= n / 2 && std::isfinite(value)) magnitudes.push_back(std::abs(value));
        }
        std::sort(magnitudes.begin(), magnitudes.end());
        const std::size_t m = magnitudes.size();
        const double median = m == 0       ? 0
                              : m % 2 == 1 ? magnitudes[m / 2]
                                           : (magnitudes[m / 2 - 1] + magnitudes[m / 2]) / 2;
        INFO(kind << " " << n << " " << toString(type));
        CHECK(suggestThreshold(std::as_const(coefficients).view(), pyramid).sigma ==
              Approx(median / 0.6744897501960817));
      }
}
