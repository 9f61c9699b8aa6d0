#include "core/report/axis_scale.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/measure/table.h"

namespace sscope::report {

namespace {

constexpr std::size_t kFewValues = 10;

struct TimeUnit {
  const char* name;
  double perSecond;
};

TimeUnit timeUnitOf(double longest) {
  if (longest >= 1) return {"s", 1};
  if (longest >= 1e-3) return {"ms", 1e3};
  return {"µs", 1e6};
}

bool isSeconds(const Axis& axis) { return axis.unit == "s"; }

// 1, 2 and 5 in every decade; only powers of ten if these are too many.
std::vector<double> logTicks(double low, double high, int most) {
  for (const std::vector<double>& steps :
       {std::vector<double>{1, 2, 5}, std::vector<double>{1, 3}, std::vector<double>{1}}) {
    std::vector<double> ticks;
    for (double decade = std::pow(10.0, std::floor(std::log10(low))); decade <= high * 1.0001; decade *= 10)
      for (const double step : steps)
        if (decade * step >= low * 0.9999 && decade * step <= high * 1.0001) ticks.push_back(decade * step);
    if (static_cast<int>(ticks.size()) <= most || steps.size() == 1) return ticks;
  }
  return {};
}

}  // namespace

std::vector<double> zeroBasedTicks(double highest, int most) {
  if (!(highest > 0) || !std::isfinite(highest)) highest = 1;
  const double least = highest / std::max(1, most), decade = std::pow(10.0, std::floor(std::log10(least)));
  double step = 10 * decade;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * decade >= least * (1 - 1e-9)) step = factor * decade;
  std::vector<double> ticks{0};
  while (ticks.back() < highest * (1 - 1e-9)) ticks.push_back(static_cast<double>(ticks.size()) * step);
  return ticks;
}

double AxisScale::at(double value) const {
  const double share =
      log ? (std::log(value) - std::log(low)) / (std::log(high) - std::log(low)) : (value - low) / (high - low);
  return from + share * (to - from);
}

std::string AxisScale::label(double tick) const { return tickText(tick * factor); }

AxisScale scaleFor(const Axis& axis, std::vector<double> values, bool tight, double from, double to, int mostTicks) {
  AxisScale scale;
  scale.log = axis.log;
  scale.from = from;
  scale.to = to;
  std::erase_if(values, [&](double value) { return !std::isfinite(value) || !scale.shows(value); });
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const double least = values.empty() ? (axis.log ? 0.1 : 0) : values.front();
  const double most = values.empty() ? 1 : values.back();
  std::string unit = axis.unit;
  if (isSeconds(axis)) {
    const TimeUnit time = timeUnitOf(most);
    scale.factor = time.perSecond;
    unit = time.name;
  }
  scale.title = unit.empty() || axis.label.empty() ? axis.label + unit : axis.label + ", " + unit;
  std::vector<double> round;
  if (axis.log) {
    scale.low = least / 1.15;
    scale.high = std::max(most * 1.15, scale.low * 2);
    round = logTicks(scale.low * scale.factor, scale.high * scale.factor, mostTicks);
  } else {
    round = zeroBasedTicks(most * scale.factor, mostTicks);
    const double pad = most > least ? 0.04 * (most - least) : 0.5;
    scale.low = tight ? least - pad : 0;
    scale.high = tight ? most + pad : round.back() / scale.factor;
  }
  if (tight && values.size() <= kFewValues) {
    scale.ticks = values;
    return scale;
  }
  for (const double tick : round)
    if (const double value = tick / scale.factor; value >= scale.low && value <= scale.high)
      scale.ticks.push_back(value);
  return scale;
}

std::string tickText(double value) { return fmt::format("{:.{}g}", value, std::abs(value) >= 1e6 ? 3 : 7); }

std::string valueText(const Axis& axis, double value) {
  constexpr const char* kSpace = "\u202F";
  if (isSeconds(axis)) {
    const TimeUnit time = timeUnitOf(value);
    return shortNumber(value * time.perSecond) + kSpace + time.name;
  }
  const bool whole = value == std::round(value) && std::abs(value) < 1e6;  // "4 kernels", not 4.00
  return (whole ? tickText(value) : shortNumber(value)) + (axis.unit.empty() ? "" : kSpace + axis.unit);
}

std::optional<PointSpread> spreadAt(std::span<const Measurement> measurements, const FigurePoint& point, double value,
                                    const Axis& axis) {
  if (!point.measurement || *point.measurement >= measurements.size()) return {};
  const Measurement& m = measurements[*point.measurement];
  if (!m.hasFigures() || m.samples.size() < 3) return {};
  const Spread spread = m.spread();
  if (!(spread.median > 0)) return {};
  // Times grow with the samples, rates and shares fall.
  const bool time = isSeconds(axis) || axis.unit == "ms";
  const double first = time ? spread.firstQuartile / spread.median : spread.median / spread.firstQuartile;
  const double third = time ? spread.thirdQuartile / spread.median : spread.median / spread.thirdQuartile;
  return PointSpread{value * std::min(first, third), value * std::max(first, third)};
}

}  // namespace sscope::report
