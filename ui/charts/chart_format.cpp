#include "ui/charts/chart_format.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QLocale>

#include "core/report/axis_scale.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

QString threeDigits(double value) {
  const double size = std::abs(value);
  if (size == 0) return QStringLiteral("0");
  if (size >= 1e6 || size < 1e-3) return QString::number(value, 'g', 3);
  const int before = static_cast<int>(std::floor(std::log10(size))) + 1;
  return QString::number(value, 'f', std::clamp(3 - before, 0, 5));
}

// The smallest of 1, 2 or 5 times a power of ten that is at least `least` > 0.
double roundStep(double least) {
  const double decade = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= least * (1 - 1e-9)) return factor * decade;
  return 10 * decade;
}

}  // namespace

QString formatNumber(double value) { return threeDigits(value); }

std::array<QString, 2> formatEnds(double low, double high) {
  constexpr double kWhole = 1e9, kLarge = 1e6, kSmall = 1e-3, kNarrow = 1e-3;
  const double size = std::max(std::abs(low), std::abs(high));
  if (low == std::round(low) && high == std::round(high) && size < kWhole)
    return {QString::number(low, 'f', 0), QString::number(high, 'f', 0)};
  if (high > low && low / size > high / size - kNarrow) {
    const double share = std::max(high / size - low / size, std::numeric_limits<double>::epsilon());
    const int digits = std::min(static_cast<int>(std::ceil(-std::log10(share))) + 2, 17);
    return {QString::number(low, 'g', digits), QString::number(high, 'g', digits)};
  }
  if (size >= kLarge || size < kSmall) return {formatNumber(low), formatNumber(high)};
  constexpr int kDigits = 4;
  const int before = static_cast<int>(std::floor(std::log10(size))) + 1;
  const int decimals = std::max(kDigits - before, 0);
  const double unit = std::pow(10.0, -decimals);
  const auto text = [&](double value) {
    return QString::number(std::abs(value) < unit / 2 ? 0 : value, 'f', decimals);  // no "-0.0"
  };
  return {text(low), text(high)};
}

QString formatRange(double low, double high) {
  const auto [from, to] = formatEnds(low, high);
  return QStringLiteral("%1 … %2").arg(from, to);
}

QString formatPrediction(double predicted, double took) {
  const QString times = Words::tr("predicted %1, took %2").arg(formatSeconds(predicted), formatSeconds(took));
  const int percent = static_cast<int>(std::lround(100 * std::abs(took / predicted - 1)));
  if (percent == 0) return times;
  return (took < predicted ? Words::tr("%1: %2 % less") : Words::tr("%1: %2 % more")).arg(times).arg(percent);
}

TimeUnit timeUnit(double longest) {
  if (longest >= 1) return {QStringLiteral("s"), 1};
  if (longest >= 1e-3) return {QStringLiteral("ms"), 1e3};
  return {QStringLiteral("µs"), 1e6};
}

QString formatSeconds(double seconds) {
  const TimeUnit unit = timeUnit(seconds);
  return threeDigits(seconds * unit.perSecond) + QChar(0x202F) + unit.name;
}

QString formatGflops(double gflops) { return threeDigits(gflops) + QStringLiteral("\u202FGFLOP/s"); }

QString formatCount(qint64 count) { return QLocale(QLocale::English).toString(count); }

QString shortCount(qint64 count) {
  double value = static_cast<double>(count);
  const char* unit = "";
  for (const char* larger : {"k", "M", "G", "T"}) {
    if (value < 999.5) break;
    value /= 1000;
    unit = larger;
  }
  const int digits = value < 9.95 && *unit != '\0' && value != std::round(value) ? 1 : 0;
  return QString::number(value, 'f', digits) + QLatin1String(unit);
}

std::vector<double> zeroBasedTicks(double highest, int most) { return report::zeroBasedTicks(highest, most); }

std::vector<double> roundTicks(double low, double high, int most) {
  const double step = roundStep((high - low) / std::max(1, most));
  const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
  std::vector<double> ticks;
  for (double i = first; i <= last; ++i) ticks.push_back(i * step);
  return ticks;
}

}  // namespace sscope
