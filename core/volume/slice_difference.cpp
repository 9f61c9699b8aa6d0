#include "core/volume/slice_difference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/base/arithmetic.h"
#include "core/base/error.h"

namespace sscope {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Rows of one component of a slice, as doubles.
class SliceRows {
 public:
  SliceRows(const Volume& volume, std::size_t axis, std::int64_t at, std::size_t along, int component)
      : view_(volume.view()), along_(along), start_(at * view_.stride[axis]) {
    const auto last = view_.extent[3] - 1;
    start_ += std::min<std::int64_t>(component, last) * view_.stride[3];
  }
  void read(std::size_t across, std::int64_t row, std::span<double> to) const {
    const std::int64_t first = start_ + row * view_.stride[across], stride = view_.stride[along_];
    dispatch(view_.type, [&](auto tag) {
      const auto* from = view_.as<decltype(tag)>() + first;
      for (std::size_t i = 0; i < to.size(); ++i)
        to[i] = static_cast<double>(from[static_cast<std::int64_t>(i) * stride]);
    });
  }

 private:
  ConstArrayView view_;
  std::size_t along_;
  std::int64_t start_;
};

class Norms {
 public:
  void add(double source, double difference) {
    ++out_.elements;
    sum_ += std::abs(difference);
    squares_.add(difference);
    sourceSquares_.add(source);
    out_.maximum = std::max(out_.maximum, std::abs(difference));
    low_ = std::min(low_, source);
    high_ = std::max(high_, source);
  }
  void leaveOut() { ++out_.leftOut; }
  [[nodiscard]] DifferenceNorms finish(ElementType type) {
    if (out_.elements == 0) return out_;
    const auto count = static_cast<double>(out_.elements);
    out_.meanAbsolute = sum_ / count;
    out_.rootMeanSquare = squares_.value() / std::sqrt(count);
    out_.relative = squares_.over(sourceSquares_);
    out_.peak = type == ElementType::u8 ? 255 : high_ - low_;
    if (out_.peak > 0) out_.decibels = 20 * std::log10(out_.peak / out_.rootMeanSquare);
    return out_;
  }

 private:
  DifferenceNorms out_;
  double sum_ = 0;
  ScaledNorm squares_, sourceSquares_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

double relativeTo(double source, double difference) {
  if (source != 0) return difference / source;
  return difference == 0 ? 0 : kNone;
}

}  // namespace

SliceDifference sliceDifference(const Volume& source, std::int64_t sourceAt, const Volume& result,
                                std::int64_t resultAt, std::size_t axis, int component, DifferenceKind kind) {
  const auto& extent = source.view().extent;
  const std::size_t along = axis == 0 ? 1 : 0, across = axis == 2 ? 1 : 2;
  const auto& other = result.view().extent;
  if (other[along] != extent[along] || other[across] != extent[across])
    throw Error(ErrorKind::Usage, "slices of different extents have no difference", "compare slices of the same data");
  VolumeShape shape = source.shape();
  (axis == 0 ? shape.nx : axis == 1 ? shape.ny : shape.nz) = 1;
  shape.components = 1;
  SliceDifference out{Volume(shape, ElementType::f64, source.geometry()), {}};
  const int first = std::max(component, 0);
  const int channels = component < 0 ? std::min(3, source.shape().components) : 1;
  std::vector<SliceRows> sources, results;
  for (int c = first; c < first + channels; ++c) {
    sources.emplace_back(source, axis, sourceAt, along, c);
    results.emplace_back(result, axis, resultAt, along, c);
  }
  const auto length = static_cast<std::size_t>(extent[along]);
  std::vector<double> a(length), b(length), size(length);
  Norms norms;
  const auto values = out.values.elements<double>();
  for (std::int64_t row = 0; row < extent[across]; ++row) {
    const auto to = values.subspan(static_cast<std::size_t>(row) * length, length);
    std::ranges::fill(to, 0.0);
    std::ranges::fill(size, 0.0);
    for (std::size_t c = 0; c < sources.size(); ++c) {
      sources[c].read(across, row, a);
      results[c].read(across, row, b);
      for (std::size_t i = 0; i < length; ++i) {
        if (!std::isfinite(a[i]) || !std::isfinite(b[i])) {
          norms.leaveOut();
          to[i] = kNone;
          continue;
        }
        const double difference = b[i] - a[i];
        norms.add(a[i], difference);
        to[i] += kind == DifferenceKind::Absolute ? std::abs(difference) : difference;
        size[i] += std::abs(a[i]);
      }
    }
    for (std::size_t i = 0; i < length; ++i)
      to[i] = kind == DifferenceKind::Relative ? relativeTo(size[i], to[i]) : to[i] / channels;
  }
  out.norms = norms.finish(source.type());
  return out;
}

}  // namespace sscope
