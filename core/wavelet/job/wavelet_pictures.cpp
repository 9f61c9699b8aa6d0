#include "core/wavelet/job/wavelet_pictures.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/arithmetic.h"
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
  ScaledNorm difference, reference;
  double maximum = 0;
  Extremes range;
  Errors& operator+=(const Errors& o) {
    difference.add(o.difference);
    reference.add(o.reference);
    maximum = std::max(maximum, o.maximum);
    range += o.range;
    return *this;
  }
};

Box wholeOf(const VolumeShape& shape) { return {{0, 0, 0}, {shape.nx, shape.ny, shape.nz}}; }

// log2 of a number >= 1, to a hundredth: the exponent, and a parabola for the mantissa.
float roughLog2(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const float f = std::bit_cast<float>((bits & 0x7fffffU) | 0x3f800000U) - 1;
  return static_cast<float>(static_cast<std::int32_t>(bits >> 23U) - 127) + f * (1.3466F - 0.3466F * f);
}

class Shades {
 public:
  explicit Shades(const PyramidStatistics& statistics) : lowest_(statistics.lowest) {
    const double range = statistics.highest - statistics.lowest;
    linear_ = range > 0 ? kPyramidWhite / range : 0;
    const double floor = statistics.largest * std::pow(10.0, -kDecades);
    inverse_ = static_cast<float>(floor > 0 ? 1 / floor : 0);
  }
  [[nodiscard]] std::uint8_t ofAverage(double value) const {
    return shade(static_cast<float>((value - lowest_) * linear_));
  }
  [[nodiscard]] std::uint8_t ofDetail(double value) const {
    return shade(kScale * roughLog2(1 + std::abs(static_cast<float>(value)) * inverse_));
  }

 private:
  static constexpr float kScale = static_cast<float>(kPyramidWhite / (kDecades * 3.321928094887362));
  // Also for NaN, which is black.
  static std::uint8_t shade(float value) {
    return static_cast<std::uint8_t>(value > 0 ? std::min(value + 0.5F, static_cast<float>(kPyramidWhite)) : 0.0F);
  }
  double lowest_, linear_ = 0;
  float inverse_ = 0;
};

}  // namespace

PyramidStatistics pyramidStatistics(const Volume& coefficients, const Pyramid& pyramid, const Control& control) {
  const ConstArrayView view = coefficients.view();
  PyramidStatistics statistics;
  dispatch(coefficients.type(), [&](auto tag) {
    const auto* values = view.as<decltype(tag)>();
    for (const PyramidBand& band : pyramid.bands()) {
      const auto extremes =
          sumOverRows<Extremes>(view, band.box, control, [&](Extremes& part, std::int64_t first, std::int64_t count) {
            for (std::int64_t i = first; i < first + count; ++i) part.add(static_cast<double>(values[i]));
          });
      if (band.averages()) {
        statistics.lowest = extremes.low;
        statistics.highest = extremes.high;
      } else {
        statistics.largest = std::max(statistics.largest, extremes.magnitude);
      }
    }
  });
  return statistics;
}

std::pair<std::shared_ptr<const Volume>, VolumeError> differenceAndError(const Volume& a, const Volume& b,
                                                                         const Control& control) {
  const VolumeShape& shape = b.shape();
  auto difference = std::make_shared<Volume>(shape, ElementType::f32, b.geometry());
  float* out = difference->elements<float>().data();
  const auto sums = dispatch(b.type(), [&](auto tag) {
    using T = decltype(tag);
    const T* left = a.elements<T>().data();
    const T* right = b.elements<T>().data();
    return sumOverRows<Errors>(b.view(), wholeOf(shape), control,
                               [&](Errors& part, std::int64_t first, std::int64_t count) {
                                 for (std::int64_t i = first; i < first + count; ++i) {
                                   const auto wanted = static_cast<double>(right[i]);
                                   const double d = static_cast<double>(left[i]) - wanted;
                                   out[i] = static_cast<float>(d);
                                   part.difference.add(d);
                                   part.reference.add(wanted);
                                   part.maximum = std::max(part.maximum, std::abs(d));
                                   part.range.add(wanted);
                                 }
                               });
  });
  VolumeError error;
  error.maximum = sums.maximum;
  error.relativeL2 = sums.difference.over(sums.reference);
  const double rms = sums.difference.value() / std::sqrt(static_cast<double>(shape.voxels()));
  error.psnr =
      rms == 0 ? std::numeric_limits<double>::infinity() : 20 * std::log10((sums.range.high - sums.range.low) / rms);
  return {std::move(difference), error};
}

std::shared_ptr<const Volume> pyramidPicture(const Volume& coefficients, const Pyramid& pyramid,
                                             const PyramidStatistics& statistics, const Control& control) {
  return pyramidPicture(coefficients, pyramid, statistics, wholeOf(coefficients.shape()), 0, ThresholdMode::Hard,
                        control);
}

std::shared_ptr<const Volume> pyramidPicture(const Volume& coefficients, const Pyramid& pyramid,
                                             const PyramidStatistics& statistics, const Box& box,
                                             const BandThresholds& thresholds, ThresholdMode mode,
                                             const Control& control) {
  Geometry geometry = coefficients.geometry();
  geometry.unit.clear();
  geometry.origin = {0, 0, 0};
  const double finest = *std::min_element(geometry.spacing.begin(), geometry.spacing.end());
  for (double& spacing : geometry.spacing) spacing /= finest;
  auto picture =
      std::make_shared<Volume>(VolumeShape{box.size(0), box.size(1), box.size(2)}, ElementType::u8, geometry);
  const ArrayView target = picture->view();
  const ConstArrayView source = coefficients.view();
  auto* out = target.as<std::uint8_t>();
  const Shades shades(statistics);
  dispatch(coefficients.type(), [&](auto tag) {
    const auto* in = source.as<decltype(tag)>();
    std::size_t index = 0;
    for (const PyramidBand& band : pyramid.bands()) {
      const double threshold = thresholds[index++];
      Box part;
      bool empty = false;
      for (std::size_t a = 0; a < 3; ++a) {
        part.begin[a] = std::max(band.box.begin[a], box.begin[a]);
        part.end[a] = std::min(band.box.end[a], box.end[a]);
        empty = empty || part.begin[a] >= part.end[a];
      }
      if (empty) continue;
      tbb::parallel_for(std::int64_t{0}, part.size(1) * part.size(2), [&](std::int64_t row) {
        control.check();
        const std::int64_t y = part.begin[1] + row % part.size(1), z = part.begin[2] + row / part.size(1);
        const auto* from = in + source.offset(part.begin[0], y, z);
        std::uint8_t* to = out + target.offset(part.begin[0] - box.begin[0], y - box.begin[1], z - box.begin[2]);
        for (std::int64_t i = 0; i < part.size(0); ++i)
          to[i] = band.averages() ? shades.ofAverage(static_cast<double>(from[i]))
                                  : shades.ofDetail(static_cast<double>(thresholded(from[i], threshold, mode)));
      });
    }
  });
  return picture;
}

}  // namespace sscope
