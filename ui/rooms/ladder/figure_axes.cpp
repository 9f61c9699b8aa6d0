// Values to pixels, ticks and their labels.

#include <algorithm>
#include <cmath>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/rooms/ladder/figure_canvas.h"

namespace sscope {

namespace {

constexpr std::size_t kFewValues = 10;

bool isSeconds(const Axis& axis) { return axis.unit == "s"; }
bool isTime(const Axis& axis) { return isSeconds(axis) || axis.unit == "ms"; }

std::vector<double> distinct(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// 1, 2 and 5 in every decade; only the decades where these are too many.
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

double AxisScale::at(double value) const {
  const double share =
      log ? (std::log(value) - std::log(low)) / (std::log(high) - std::log(low)) : (value - low) / (high - low);
  return from + share * (to - from);
}

QString AxisScale::label(double tick) const { return QString::number(tick * factor, 'g', 4); }

AxisScale scaleFor(const Axis& axis, const std::vector<double>& given, bool tight, double from, double to,
                   int mostTicks) {
  AxisScale scale;
  scale.log = axis.log;
  scale.from = from;
  scale.to = to;
  std::vector<double> values;
  for (const double value : distinct(given))
    if (std::isfinite(value) && scale.shows(value)) values.push_back(value);
  const double least = values.empty() ? (axis.log ? 0.1 : 0) : values.front();
  const double most = values.empty() ? 1 : values.back();
  QString unit = toQt(axis.unit);
  if (isSeconds(axis)) {
    const TimeUnit time = timeUnit(most);
    scale.factor = time.perSecond;
    unit = time.name;
  }
  scale.title = unit.isEmpty()       ? toQt(axis.label)
                : axis.label.empty() ? unit
                                     : toQt(axis.label) + QStringLiteral(", ") + unit;
  if (axis.log) {
    scale.low = least / 1.15;
    scale.high = std::max(most * 1.15, scale.low * 2);
    scale.ticks = tight && values.size() <= kFewValues
                      ? values
                      : logTicks(scale.low * scale.factor, scale.high * scale.factor, mostTicks);
    if (!(tight && values.size() <= kFewValues))
      for (double& tick : scale.ticks) tick /= scale.factor;
    return scale;
  }
  const std::vector<double> round = zeroBasedTicks(most * scale.factor, mostTicks);
  if (tight) {
    const double pad = most > least ? 0.04 * (most - least) : 0.5;
    scale.low = least - pad;
    scale.high = most + pad;
    if (values.size() <= kFewValues) {
      scale.ticks = values;
    } else {
      for (const double tick : round)
        if (tick / scale.factor >= scale.low && tick / scale.factor <= scale.high)
          scale.ticks.push_back(tick / scale.factor);
    }
    return scale;
  }
  scale.low = 0;
  scale.high = round.back() / scale.factor;
  for (const double tick : round) scale.ticks.push_back(tick / scale.factor);
  return scale;
}

QString figureValue(const Axis& axis, double value) {
  if (isSeconds(axis)) return formatSeconds(value);
  const bool whole = value == std::round(value) && std::abs(value) < 1e6;  // "4 kernels", not 4.00
  const QString number = whole ? QString::number(value, 'f', 0) : formatNumber(value);
  return axis.unit.empty() ? number : number + QChar(0x202F) + toQt(axis.unit);
}

std::optional<PointSpread> spreadAt(const FigureCanvas& canvas, const FigurePoint& point, double value,
                                    const Axis& axis) {
  if (!point.measurement || *point.measurement >= canvas.measurements.size()) return {};
  const Measurement& m = canvas.measurements[*point.measurement];
  if (!m.hasFigures() || m.samples.size() < 3) return {};
  const Spread spread = m.spread();
  if (!(spread.median > 0)) return {};
  // Times grow with the samples, rates and shares fall.
  const double first = isTime(axis) ? spread.firstQuartile / spread.median : spread.median / spread.firstQuartile;
  const double third = isTime(axis) ? spread.thirdQuartile / spread.median : spread.median / spread.thirdQuartile;
  return PointSpread{value * std::min(first, third), value * std::max(first, third)};
}

}  // namespace sscope
