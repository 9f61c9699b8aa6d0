#include "core/compare/error_map.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/compare/agreement.h"

namespace sscope::compare {

namespace {

constexpr std::int64_t kVoxelsAtOnce = 1 << 14;
constexpr float kNone = -std::numeric_limits<float>::infinity(), kBroken = std::numeric_limits<float>::infinity();

double errorBetween(ElementType type, double a, double b, ErrorUnit unit) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
  return unit == ErrorUnit::Absolute ? std::abs(a - b) : ulpsBetween(type, a, b);
}

// The ends of the finite logarithms.
struct Ends {
  float low = kBroken, high = kNone;
  bool broken = false;
  void add(float value) {
    broken |= value == kBroken;
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void add(const Ends& more) {
    low = std::min(low, more.low);
    high = std::max(high, more.high);
    broken |= more.broken;
  }
};

Ends logarithms(const Volume& first, const Volume& second, ErrorUnit unit, std::span<float> values,
                const Control& control) {
  const auto components = static_cast<std::size_t>(first.shape().components);
  return dispatch(first.type(), [&](auto tag) {
    using T = decltype(tag);
    const std::span<const T> a = first.elements<T>(), b = second.elements<T>();
    const auto part = [&](const tbb::blocked_range<std::int64_t>& range, Ends ends) {
      if (control.stopRequested()) return ends;
      for (auto v = static_cast<std::size_t>(range.begin()); v < static_cast<std::size_t>(range.end()); ++v) {
        double error = 0;
        for (std::size_t i = v * components; i < (v + 1) * components; ++i)
          error =
              std::max(error, errorBetween(first.type(), static_cast<double>(a[i]), static_cast<double>(b[i]), unit));
        values[v] = static_cast<float>(std::log10(error));
        ends.add(values[v]);
      }
      return ends;
    };
    return tbb::parallel_reduce(tbb::blocked_range<std::int64_t>(0, first.shape().voxels(), kVoxelsAtOnce), Ends{},
                                part, [](Ends all, const Ends& more) {
                                  all.add(more);
                                  return all;
                                });
  });
}

std::array<double, 2> windowOf(const Ends& ends) {
  if (!(ends.high >= ends.low)) return {0, 1};
  const double high =
      std::max(std::ceil(static_cast<double>(ends.high)), std::floor(static_cast<double>(ends.low)) + 1);
  return {std::max(std::floor(static_cast<double>(ends.low)), high - kMostDecades), high};
}

}  // namespace

ErrorMap errorMap(const Volume& first, const Volume& second, ErrorUnit unit, const Geometry& geometry,
                  const Control& control) {
  if (first.type() != second.type() || first.shape() != second.shape())
    throw Error(ErrorKind::Usage, "results of different types or extents cannot be compared", "compute them again");
  VolumeShape shape = first.shape();
  shape.components = 1;
  requireMemory(shape.voxels() * static_cast<std::int64_t>(sizeof(float)));
  ErrorMap map;
  map.values = Volume(shape, ElementType::f32, geometry);
  const std::span<float> values = map.values.elements<float>();
  const Ends ends = logarithms(first, second, unit, values, control);
  control.check();
  map.anyError = ends.broken || ends.high >= ends.low;
  map.window = windowOf(ends);
  const auto low = static_cast<float>(map.window[0]), broken = static_cast<float>(map.window[1] + 1);
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, shape.voxels(), kVoxelsAtOnce),
                    [&](const tbb::blocked_range<std::int64_t>& range) {
                      if (control.stopRequested()) return;
                      for (auto v = static_cast<std::size_t>(range.begin()); v < static_cast<std::size_t>(range.end());
                           ++v)
                        values[v] = values[v] == kBroken ? broken : std::max(values[v], low);
                    });
  control.check();
  return map;
}

}  // namespace sscope::compare
