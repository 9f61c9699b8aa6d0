#include "ui/charts/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sscope {

namespace {

// Differences of the largest doubles overflow and the inverse of the smallest, too: both are brought to the middle of
// the exponents first, which is exact.
class Position {
 public:
  Position(double low, double high)
      : exponent_(std::clamp(-std::ilogb(std::max(std::abs(low), std::abs(high))), -1000, 1000)),
        factor_(std::ldexp(1.0, exponent_)),
        low_(low * factor_),
        extent_(high * factor_ - low_) {}
  double operator()(double value) const { return (value * factor_ - low_) / extent_; }

 private:
  int exponent_;
  double factor_, low_, extent_;
};

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
      out.low = std::max(out.low - half, std::numeric_limits<double>::lowest());
      out.high = std::min(out.high + half, std::numeric_limits<double>::max());
    }
  }
  out.counts.assign(static_cast<std::size_t>(binCount), 0);
  const Position position(out.low, out.high);
  forEach<T>(volume, component, control, [&](T value) {
    if constexpr (std::is_floating_point_v<T>)
      if (!std::isfinite(value)) return;
    const auto bin = static_cast<std::int64_t>(position(static_cast<double>(value)) * static_cast<double>(binCount));
    ++out.counts[static_cast<std::size_t>(std::clamp<std::int64_t>(bin, 0, binCount - 1))];
  });
  return out;
}

}  // namespace

double Histogram::edge(std::int64_t bin) const {
  if (whole) return low + static_cast<double>(bin) * ((high - low) / static_cast<double>(counts.size()));
  return std::lerp(low, high, static_cast<double>(bin) / static_cast<double>(counts.size()));
}

double Histogram::position(double value) const { return Position(low, high)(value); }

Histogram makeHistogram(const Volume& volume, int component, int bins, const Control& control) {
  return dispatch(volume.type(), [&](auto tag) { return count<decltype(tag)>(volume, component, bins, control); });
}

}  // namespace sscope
