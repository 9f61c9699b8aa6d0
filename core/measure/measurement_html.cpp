#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/measure/measurement.h"
#include "core/measure/text_table.h"

namespace sscope {

namespace {

// Okabe and Ito's colors, distinguishable by color-blind people; one per kind of engine, gray for what is absent.
const char* colorOf(const std::string& engine) {
  struct Rule {
    const char* start;
    const char* color;
  };
  constexpr std::array<Rule, 7> kRules{{{"cpu:avx512", "#0072B2"},
                                        {"cpu:avx2", "#56B4E9"},
                                        {"cpu:sse4", "#009E73"},
                                        {"cpu:", "#F0E442"},
                                        {"opencl:", "#E69F00"},
                                        {"cuda:", "#D55E00"},
                                        {"peer:", "#CC79A7"}}};
  for (const Rule& rule : kRules)
    if (engine.rfind(rule.start, 0) == 0) return rule.color;
  return "#999999";
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
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

// A round step that divides 0..limit into about five.
double tickStep(double limit) {
  const double rough = limit / 5, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power) return factor * power;
  return 10 * power;
}

constexpr double kLabelWidth = 220, kPlotWidth = 560, kBarHeight = 18, kRowHeight = 30;

std::string bar(const Measurement& m, double y, double scale) {
  const Spread spread = m.spread();
  const auto x = [&](double seconds) { return kLabelWidth + 1e3 * seconds * scale; };
  const double middle = y + kBarHeight / 2;
  const std::string label = m.engine + " " + m.variant;
  std::string svg = "<g><title>" +
                    escaped(label + ": median " + shortNumber(1e3 * spread.median) + " ms, " +
                            std::to_string(m.samples.size()) + " repetitions") +
                    "</title>";
  svg += "<text x='" + number(kLabelWidth - 8) + "' y='" + number(middle + 4) + "' text-anchor='end'>" +
         escaped(label) + "</text>";
  svg += "<rect x='" + number(kLabelWidth) + "' y='" + number(y) + "' width='" +
         number(x(spread.median) - kLabelWidth) + "' height='" + number(kBarHeight) + "' fill='" + colorOf(m.engine) +
         "'/>";
  svg += "<path d='M" + number(x(spread.firstQuartile)) + " " + number(middle) + "H" + number(x(spread.thirdQuartile));
  for (const double end : {spread.firstQuartile, spread.thirdQuartile})
    svg += "M" + number(x(end)) + " " + number(middle - 5) + "v10";
  svg += "' stroke='#222' fill='none'/>";
  svg += "<text x='" + number(x(spread.thirdQuartile) + 6) + "' y='" + number(middle + 4) + "'>" +
         shortNumber(1e3 * spread.median) + "</text></g>\n";
  return svg;
}

std::string chart(const std::vector<Measurement>& results) {
  double limit = 0;
  std::size_t bars = 0;
  for (const Measurement& m : results)
    if (m.hasFigures()) {
      limit = std::max(limit, 1e3 * m.spread().thirdQuartile);
      ++bars;
    }
  if (bars == 0 || limit <= 0) return "<p>No row has figures.</p>\n";
  const double scale = kPlotWidth / limit, height = kRowHeight * static_cast<double>(bars);
  std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' width='" + number(kLabelWidth + kPlotWidth + 80) +
                    "' height='" + number(height + 50) + "' role='img' aria-label='Median milliseconds per run'>\n";
  const double step = tickStep(limit);
  for (int tick = 0; tick * step <= limit; ++tick) {
    const std::string x = number(kLabelWidth + tick * step * scale);
    svg += "<path d='M" + x + " 0V" + number(height) + "' stroke='#ddd'/><text x='" + x + "' y='" +
           number(height + 16) + "' text-anchor='middle'>" + (tick == 0 ? "0" : shortNumber(tick * step)) + "</text>\n";
  }
  double y = (kRowHeight - kBarHeight) / 2;
  for (const Measurement& m : results)
    if (m.hasFigures()) {
      svg += bar(m, y, scale);
      y += kRowHeight;
    }
  return svg + "<text x='" + number(kLabelWidth + kPlotWidth / 2) + "' y='" + number(height + 36) +
         "' text-anchor='middle'>milliseconds per run (median; whiskers: quartiles)</text>\n</svg>\n";
}

std::string tableRow(const Measurement& m) {
  std::string row =
      "<tr><td>" + escaped(m.engine) + "</td><td>" + escaped(m.variant.empty() ? "-" : m.variant) + "</td>";
  if (!m.hasFigures()) {
    const std::string why = m.skipped.empty() ? "FAILED: " + m.failed : "skipped: " + m.skipped;
    return row + "<td colspan='9' class='none'>" + escaped(why) + "</td></tr>\n";
  }
  const Spread spread = m.spread();
  const auto share = m.share();
  char error[32];
  std::snprintf(error, sizeof error, "%.1e", m.verification.relativeL2);
  for (const std::string& text :
       {std::to_string(m.threads), shortNumber(1e3 * spread.median),
        shortNumber(1e3 * spread.firstQuartile) + " to " + shortNumber(1e3 * spread.thirdQuartile),
        std::to_string(m.samples.size()), shortNumber(m.gflops()), shortNumber(m.gbs()),
        share ? shortNumber(100 * *share) + " %" : std::string("unknown"), std::string(error), m.verification.coverage})
    row += "<td>" + escaped(text) + "</td>";
  return row + "</tr>\n";
}

std::string heading(const Measurement& m) {
  std::string shape;
  for (const std::int64_t extent : m.shape) shape += (shape.empty() ? "" : " x ") + std::to_string(extent);
  return m.workload + ", " + shape + " " + m.input + ", computed in " + std::string(toString(m.precision));
}

}  // namespace

std::string toHtml(const BenchReport& report) {
  const Machine& machine = report.machine;
  std::string html =
      "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n<title>Stencilscope "
      "benchmark</title>\n<style>\n"
      "body{font-family:sans-serif;margin:2em;color:#222;background:#fff}table{border-collapse:collapse}"
      "td,th{padding:.3em .8em;border-bottom:1px solid "
      "#ddd;text-align:right}td:nth-child(-n+2),th:nth-child(-n+2),.none"
      "{text-align:left}.none{color:#666}svg text{font-size:12px;fill:#222}\n</style>\n</head>\n<body>\n";
  html += "<h1>Stencilscope " + std::string(SSCOPE_VERSION) + " benchmark</h1>\n<p>" + escaped(machine.cpu) + ", " +
          std::to_string(machine.threads) + " threads, " + escaped(machine.os) + "</p>\n";
  if (!report.results.empty()) {
    const Measurement& first = report.results.front();
    html += "<h2>" + escaped(heading(first)) + "</h2>\n<p>" + escaped(first.params.dump()) + "</p>\n";
  }
  html += chart(report.results);
  html +=
      "<table>\n<tr><th>engine</th><th>variant</th><th>threads</th><th>median ms</th><th>quartiles ms</th>"
      "<th>repetitions</th><th>GFLOP/s</th><th>GB/s</th><th>of ceiling</th><th>relative "
      "error</th><th>compared</th></tr>\n";
  for (const Measurement& m : report.results) html += tableRow(m);
  html +=
      "</table>\n<p>Every output was compared with the double-precision reference in the same run; rows took turns. "
      "The ceiling is min(peak, intensity x bandwidth), both measured on this machine";
  for (const Measurement& m : report.results)
    if (m.ceilings && m.hasFigures())
      html += "; " + escaped(m.engine) + ": " + shortNumber(m.ceilings->gflops(m.precision)) + " GFLOP/s, " +
              shortNumber(m.ceilings->gbs) + " GB/s (" + escaped(m.ceilings->date) + ")";
  html += ".</p>\n</body>\n</html>\n";
  return html;
}

}  // namespace sscope
