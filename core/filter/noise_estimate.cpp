#include "core/filter/noise_estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace sscope {

namespace {

constexpr double kMedianOfNormal = 0.6744897501960817;  // of |x| in units of the standard deviation
constexpr std::int64_t kMostPlaces = 1 << 20;
constexpr std::int64_t kAtOnce = 1 << 14;  // between two looks at the control

// An axis of the data as the differences see it.
struct Axis {
  std::int64_t extent = 1, stride = 0;
  bool used = false;
};

template <class T>
double secondDifferences(const T* at, const std::array<Axis, 3>& axes, std::size_t axis) {
  if (axis == 3) return static_cast<double>(*at);
  const auto along = [&](std::int64_t step) { return secondDifferences(at + step, axes, axis + 1); };
  if (!axes[axis].used) return along(0);
  return along(-axes[axis].stride) - 2 * along(0) + along(axes[axis].stride);
}

// visit(offset) for at most kMostPlaces of the places, evenly spread; `offsetOf(axis, index)` in elements.
template <class OffsetOf, class Visit>
void forSomePlaces(const std::array<std::int64_t, 4>& places, const Control& control, const OffsetOf& offsetOf,
                   const Visit& visit) {
  const std::int64_t all = places[0] * places[1] * places[2] * places[3];
  const std::int64_t step = (all + kMostPlaces - 1) / kMostPlaces;
  for (std::int64_t i = 0; i < all; i += step) {
    if (i / step % kAtOnce == 0) control.check();
    std::int64_t rest = i, offset = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      offset += offsetOf(a, rest % places[a]);
      rest /= places[a];
    }
    visit(offset);
  }
}

}  // namespace

double estimatedNoise(const ConstArrayView& data, const Control& control) {
  std::array<Axis, 3> axes;
  std::array<std::int64_t, 4> places{1, 1, 1, data.extent[3]};
  double gain = 1;
  for (std::size_t a = 0; a < 3; ++a) {
    axes[a] = {data.extent[a], data.stride[a], data.extent[a] >= 3};
    places[a] = axes[a].used ? axes[a].extent - 2 : axes[a].extent;
    if (axes[a].used) gain *= std::sqrt(6.0);
  }
  if (gain == 1) return 0;
  // Constant data are no noise; where hardly anything varies, what does are edges.
  constexpr std::int64_t kFewest = 10;  // of so many places one varies
  std::int64_t finite = 0;
  std::vector<double> seen;
  const auto offsetOf = [&](std::size_t a, std::int64_t index) {
    return (index + (a < 3 && axes[a].used ? 1 : 0)) * data.stride[a];
  };
  dispatch(data.type, [&](auto tag) {
    const auto* values = data.as<decltype(tag)>();
    forSomePlaces(places, control, offsetOf, [&](std::int64_t offset) {
      const double difference = std::abs(secondDifferences(values + offset, axes, 0));
      if (!std::isfinite(difference)) return;
      ++finite;
      if (difference > 0) seen.push_back(difference);
    });
  });
  if (seen.empty() || std::ssize(seen) * kFewest < finite) return 0;
  const auto middle = seen.begin() + std::ssize(seen) / 2;
  std::nth_element(seen.begin(), middle, seen.end());
  return *middle / (kMedianOfNormal * gain);
}

DataScale estimatedScale(const ConstArrayView& data, const Control& control) {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  const auto offsetOf = [&](std::size_t a, std::int64_t index) { return index * data.stride[a]; };
  dispatch(data.type, [&](auto tag) {
    const auto* values = data.as<decltype(tag)>();
    forSomePlaces(data.extent, control, offsetOf, [&](std::int64_t offset) {
      const auto value = static_cast<double>(values[offset]);
      if (!std::isfinite(value)) return;
      lowest = std::min(lowest, value);
      highest = std::max(highest, value);
    });
  });
  if (!(highest >= lowest)) return {};
  return {estimatedNoise(data, control), highest - lowest, lowest};
}

}  // namespace sscope
