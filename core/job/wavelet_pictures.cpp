#include "core/job/wavelet_pictures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/wavelet/row_sums.h"

namespace sscope {

namespace {

constexpr double kDecades = 4;  // of the picture

struct Extremes {
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest(), magnitude = 0;
  void add(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
    magnitude = std::max(magnitude, std::abs(v));
  }
  Extremes& operator+=(const Extremes& o) {
    low = std::min(low, o.low);
    high = std::max(high, o.high);
    magnitude = std::max(magnitude, o.magnitude);
    return *this;
  }
};

struct Errors {
  double squares = 0, reference = 0, maximum = 0;
  Extremes range;
  Errors& operator+=(const Errors& o) {
    squares += o.squares;
    reference += o.reference;
    maximum = std::max(maximum, o.maximum);
    range += o.range;
    return *this;
  }
};

Box wholeOf(const VolumeShape& shape) { return {{0, 0, 0}, {shape.nx, shape.ny, shape.nz}}; }

}  // namespace

PyramidStatistics pyramidStatistics(const Volume& coefficients, const Pyramid& pyramid, const Control& control) {
  const ConstArrayView view = coefficients.view();
  const double* values = coefficients.elements<double>().data();
  PyramidStatistics statistics;
  for (const PyramidBand& band : pyramid.bands()) {
    const auto extremes =
        sumOverRows<Extremes>(view, band.box, [&](Extremes& part, std::int64_t first, std::int64_t count) {
          for (std::int64_t i = first; i < first + count; ++i) part.add(values[i]);
        });
    control.check();
    if (band.averages()) {
      statistics.lowest = extremes.low;
      statistics.highest = extremes.high;
    } else {
      statistics.largest = std::max(statistics.largest, extremes.magnitude);
    }
  }
  return statistics;
}

std::pair<std::shared_ptr<const Volume>, VolumeError> compare(const Volume& a, const Volume& b,
                                                              const Control& control) {
  const VolumeShape& shape = b.shape();
  auto difference = std::make_shared<Volume>(shape, ElementType::f32, b.geometry());
  const double* left = a.elements<double>().data();
  const double* right = b.elements<double>().data();
  float* out = difference->elements<float>().data();
  const auto sums =
      sumOverRows<Errors>(b.view(), wholeOf(shape), [&](Errors& part, std::int64_t first, std::int64_t count) {
        for (std::int64_t i = first; i < first + count; ++i) {
          const double d = left[i] - right[i];
          out[i] = static_cast<float>(d);
          part.squares += d * d;
          part.reference += right[i] * right[i];
          part.maximum = std::max(part.maximum, std::abs(d));
          part.range.add(right[i]);
        }
      });
  control.check();
  VolumeError error;
  error.maximum = sums.maximum;
  error.relativeL2 = sums.squares == 0 ? 0 : std::sqrt(sums.squares / sums.reference);
  const double rms = std::sqrt(sums.squares / static_cast<double>(shape.voxels()));
  error.psnr =
      rms == 0 ? std::numeric_limits<double>::infinity() : 20 * std::log10((sums.range.high - sums.range.low) / rms);
  return {std::move(difference), error};
}

std::shared_ptr<const Volume> pyramidPicture(const Volume& coefficients, const Pyramid& pyramid,
                                             const PyramidStatistics& statistics, const Control& control) {
  const VolumeShape& shape = coefficients.shape();
  auto picture = std::make_shared<Volume>(shape, ElementType::f32, coefficients.geometry());
  const double* in = coefficients.elements<double>().data();
  float* out = picture->elements<float>().data();
  const double range = statistics.highest - statistics.lowest;
  const auto linear = static_cast<float>(range > 0 ? 1 / range : 0);
  const auto floor = static_cast<float>(statistics.largest * std::pow(10.0, -kDecades));
  const float inverse = floor > 0 ? 1 / floor : 0;
  const auto scale = static_cast<float>(1 / (kDecades * std::log2(10.0)));
  for (const PyramidBand& band : pyramid.bands()) {
    control.check();
    static_cast<void>(sumOverRows<std::int64_t>(
        coefficients.view(), band.box, [&](std::int64_t& drawn, std::int64_t first, std::int64_t count) {
          drawn += count;
          for (std::int64_t i = first; i < first + count; ++i)
            out[i] = band.averages()
                         ? static_cast<float>(in[i] - statistics.lowest) * linear
                         : std::min(1.0F, scale * std::log2(1 + std::abs(static_cast<float>(in[i])) * inverse));
        }));
  }
  return picture;
}

}  // namespace sscope
