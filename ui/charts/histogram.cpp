#include "ui/charts/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sscope {

namespace {

// Calls f(value) for every element of the chosen components; looks at the stop token now and then.
template <class T, class F>
void forEach(const Volume& volume, int component, const Control& control, F&& f) {
  const auto elements = volume.elements<T>();
  const auto components = static_cast<std::size_t>(volume.shape().components);
  const std::size_t step = component < 0 ? 1 : components;
  const std::size_t first = component < 0 ? 0 : std::min(static_cast<std::size_t>(component), components - 1);
  constexpr std::size_t kChunk = std::size_t{1} << 19;
  for (std::size_t start = first; start < elements.size(); start += kChunk * step) {
    control.check();
    const std::size_t end = std::min(elements.size(), start + kChunk * step);
    for (std::size_t i = start; i < end; i += step) f(elements[i]);
  }
}

template <class T>
Histogram count(const Volume& volume, int component, int bins, const Control& control) {
  Histogram out;
  T least = std::numeric_limits<T>::max(), most = std::numeric_limits<T>::lowest();
  forEach<T>(volume, component, control, [&](T value) {
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(value)) {
        ++out.nonFinite;
        return;
      }
    }
    least = std::min(least, value);
    most = std::max(most, value);
  });
  if (least > most) return out;  // nothing finite

  out.least = static_cast<double>(least);
  out.most = static_cast<double>(most);
  out.whole = std::is_integral_v<T>;
  std::int64_t binCount = bins;
  if constexpr (std::is_integral_v<T>) {
    const std::int64_t values = static_cast<std::int64_t>(most) - static_cast<std::int64_t>(least) + 1;
    const std::int64_t perBin = (values + bins - 1) / bins;
    binCount = (values + perBin - 1) / perBin;
    out.low = static_cast<double>(least) - 0.5;
    out.high = out.low + static_cast<double>(binCount * perBin);
  } else {
    out.low = static_cast<double>(least);
    out.high = static_cast<double>(most);
    if (!(out.high > out.low)) {  // one value: a bin around it
      const double half = std::max(0.5, std::abs(out.low) * 1e-6);
      out.low -= half;
      out.high += half;
    }
  }
  out.counts.assign(static_cast<std::size_t>(binCount), 0);
  const double scale = static_cast<double>(binCount) / (out.high - out.low);
  forEach<T>(volume, component, control, [&](T value) {
    if constexpr (std::is_floating_point_v<T>)
      if (!std::isfinite(value)) return;
    const auto bin = static_cast<std::int64_t>((static_cast<double>(value) - out.low) * scale);
    ++out.counts[static_cast<std::size_t>(std::clamp<std::int64_t>(bin, 0, binCount - 1))];
  });
  return out;
}

}  // namespace

Histogram makeHistogram(const Volume& volume, int component, int bins, const Control& control) {
  return dispatch(volume.type(), [&](auto tag) { return count<decltype(tag)>(volume, component, bins, control); });
}

}  // namespace sscope
