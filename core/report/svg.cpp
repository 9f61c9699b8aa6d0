#include "core/report/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/measure/text_table.h"

namespace sscope::report {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

std::string tickText(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), std::abs(value) >= 1e6 ? "%.3g" : "%.7g", value);
  return text.data();
}

std::string textAt(double x, double y, std::string_view anchor, std::string_view text, std::string_view css) {
  std::string result = "<text x='" + number(x) + "' y='" + number(y) + "'";
  if (anchor != "start") result += " text-anchor='" + std::string(anchor) + "'";
  if (!css.empty()) result += " class='" + std::string(css) + "'";
  return result + ">" + escaped(text) + "</text>";
}

std::string rectangle(double left, double top, double width, double height, const std::string& style) {
  return "<rect x='" + number(left) + "' y='" + number(top) + "' width='" + number(width) + "' height='" +
         number(height) + "' " + style + "/>";
}

std::string svgOpen(double width, double height, std::string_view label) {
  return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " + number(width) + " " + number(height) + "' width='" +
         number(width) + "' height='" + number(height) + "' role='img' aria-label='" + escaped(label) + "'>\n";
}

namespace {

// A round step that divides 0..limit into about five.
double tickStep(double limit) {
  const double rough = limit / 5, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power * 1.0000001) return factor * power;
  return 10 * power;
}

// 1, 2 and 5 times powers of ten, from the last at or below `low` to the first at or above `high`; only the powers when
// they are many.
std::vector<double> logTicks(double low, double high) {
  const bool few = std::log10(high / low) < 2.5;
  std::vector<double> all, ticks;
  for (int e = static_cast<int>(std::floor(std::log10(low))); e <= static_cast<int>(std::ceil(std::log10(high))); ++e)
    for (const double factor : {1.0, 2.0, 5.0})
      if (few || factor == 1) all.push_back(factor * std::pow(10, e));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool tooLow = i + 1 < all.size() && all[i + 1] <= low * 1.0000001;
    const bool tooHigh = i > 0 && all[i - 1] >= high * 0.9999999;
    if (!tooLow && !tooHigh) ticks.push_back(all[i]);
  }
  return ticks;
}

}  // namespace

Scale::Scale(double low, double high, bool log, double from, double to) : log_(log), from_(from), to_(to) {
  if (log) {
    ticks_ = logTicks(low, std::max(high, low * 1.01));
    low_ = std::log10(ticks_.front());
    high_ = std::log10(ticks_.back());
    return;
  }
  const double step = tickStep(high > 0 ? high : 1);
  for (int i = 0; i == 0 || ticks_.back() < high * 0.9999999; ++i) ticks_.push_back(i * step);
  low_ = 0;
  high_ = ticks_.back() > 0 ? ticks_.back() : 1;
}

double Scale::at(double value) const {
  const double place = log_ ? std::log10(value) : value;
  return from_ + (to_ - from_) * (place - low_) / (high_ - low_);
}

std::string familyOf(const FigureSeries& series) {
  for (const std::string& device : {series.engine, series.hardware})
    if (const std::string end = ", " + device; !device.empty() && series.name.ends_with(end))
      return series.name.substr(0, series.name.size() - end.size());
  return series.name;
}

std::string Palette::colorOf(const FigureSeries& series) {
  // Readable on white and on black, distinguishable by color-blind people in this order.
  constexpr std::array<const char*, 12> kColors{"#4c78a8", "#f58518", "#54a24b", "#e45756", "#b279a2", "#12a5b0",
                                                "#c9a227", "#9d755d", "#d67195", "#79706e", "#6b6ecf", "#8ca252"};
  const std::size_t next = colors_.size();
  return kColors[colors_.try_emplace(familyOf(series), next).first->second % kColors.size()];
}

std::size_t Palette::markerOf(const FigureSeries& series) {
  const std::size_t next = markers_.size();
  return markers_.try_emplace(series.engine.empty() ? series.hardware : series.engine, next).first->second;
}

std::string mapColor(double fraction) {
  constexpr std::array<std::array<double, 3>, 9> kStops{{{68, 1, 84},
                                                         {71, 44, 122},
                                                         {59, 81, 139},
                                                         {44, 113, 142},
                                                         {33, 144, 141},
                                                         {39, 173, 129},
                                                         {92, 200, 99},
                                                         {170, 220, 50},
                                                         {253, 231, 37}}};
  const double place = std::clamp(fraction, 0.0, 1.0) * (kStops.size() - 1);
  const std::size_t at = std::min(static_cast<std::size_t>(place), kStops.size() - 2);
  const double part = place - static_cast<double>(at);
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround(kStops[at][c] + part * (kStops[at + 1][c] - kStops[at][c])));
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", static_cast<unsigned>(rgb[0]), static_cast<unsigned>(rgb[1]),
                static_cast<unsigned>(rgb[2]));
  return text.data();
}

}  // namespace sscope::report
