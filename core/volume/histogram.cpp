#include "core/volume/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sscope {

namespace {

// Calls f(value) for every element of the chosen components; checks the stop token periodically.
template <class T, class F>
void forEachValue(const ConstArrayView& view, int component, const Control& control, F&& f) {
  const std::int64_t components = view.extent[3];
  const std::int64_t first = component < 0 ? 0 : std::min<std::int64_t>(component, components - 1);
  const std::int64_t end = component < 0 ? components : first + 1;
  constexpr std::int64_t kChunk = std::int64_t{1} << 19;
  std::int64_t sinceCheck = kChunk;
  for (std::int64_t z = 0; z < view.extent[2]; ++z)
    for (std::int64_t y = 0; y < view.extent[1]; ++y) {
      if (sinceCheck >= kChunk) {
        control.check();
        sinceCheck = 0;
      }
      sinceCheck += view.extent[0] * (end - first);
      const T* const row = view.as<T>() + view.offset(0, y, z);
      for (std::int64_t x = 0; x < view.extent[0]; ++x)
        for (std::int64_t c = first; c < end; ++c) f(row[x * view.stride[0] + c * view.stride[3]]);
    }
}

template <class T>
bool isFinite(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isfinite(value);
  return true;
}

}  // namespace

BinScale::BinScale(const Bins& bins) {
  const double largest = std::max(std::abs(bins.low), std::abs(bins.high));
  factor = std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
  low = bins.low * factor;
  extent = bins.high * factor - low;
}

ValueRange rangeOf(const ConstArrayView& view, int component, const Control& control) {
  ValueRange range;
  dispatch(view.type, [&](auto tag) {
    using T = decltype(tag);
    T least = std::numeric_limits<T>::max(), most = std::numeric_limits<T>::lowest();
    forEachValue<T>(view, component, control, [&](T value) {
      if (!isFinite(value)) {
        ++range.nonFinite;
        return;
      }
      ++range.counted;
      least = std::min(least, value);
      most = std::max(most, value);
    });
    if (range.counted == 0) return;
    range.least = static_cast<double>(least);
    range.most = static_cast<double>(most);
  });
  return range;
}

std::vector<std::int64_t> countsOf(const ConstArrayView& view, int component, const Bins& bins,
                                   const Control& control) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(bins.count), 0);
  const BinScale scale(bins);
  const auto count = static_cast<double>(bins.count);
  dispatch(view.type, [&](auto tag) {
    using T = decltype(tag);
    forEachValue<T>(view, component, control, [&](T value) {
      if (!isFinite(value)) return;
      const double bin = std::clamp(scale.position(static_cast<double>(value)) * count, 0.0, count - 1);
      ++counts[static_cast<std::size_t>(bin)];
    });
  });
  return counts;
}

Bins binsFor(const ValueRange& range, ElementType type, int most) {
  Bins bins;
  bins.count = most;
  bins.whole = isInteger(type);
  if (bins.whole) {
    const std::int64_t values = static_cast<std::int64_t>(range.most) - static_cast<std::int64_t>(range.least) + 1;
    const std::int64_t perBin = (values + most - 1) / most;
    bins.count = (values + perBin - 1) / perBin;
    bins.low = range.least - 0.5;
    bins.high = bins.low + static_cast<double>(bins.count * perBin);
    return bins;
  }
  bins.low = range.least;
  bins.high = range.most;
  if (!(bins.high > bins.low)) {  // one value: a bin around it
    const double half = std::max(0.5, std::abs(bins.low) * 1e-6);
    bins.low = std::max(bins.low - half, std::numeric_limits<double>::lowest());
    bins.high = std::min(bins.high + half, std::numeric_limits<double>::max());
  }
  return bins;
}

Histogram histogramOf(const ValueRange& range, const Bins& bins, std::vector<std::int64_t> counts) {
  return {bins.low, bins.high, range.least, range.most, bins.whole, std::move(counts), range.nonFinite};
}

double Histogram::edge(std::int64_t bin) const {
  if (whole) return low + static_cast<double>(bin) * ((high - low) / static_cast<double>(counts.size()));
  return std::lerp(low, high, static_cast<double>(bin) / static_cast<double>(counts.size()));
}

double Histogram::position(double value) const { return BinScale({low, high}).position(value); }

Histogram makeHistogram(const Volume& volume, int component, int bins, const Control& control) {
  const ValueRange range = rangeOf(volume.view(), component, control);
  if (range.counted == 0) return histogramOf(range, {0, 0}, {});
  const Bins chosen = binsFor(range, volume.type(), bins);
  return histogramOf(range, chosen, countsOf(volume.view(), component, chosen, control));
}

}  // namespace sscope
