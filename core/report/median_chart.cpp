#include "core/report/median_chart.h"

#include <algorithm>
#include <array>

#include "core/measure/text_table.h"
#include "core/report/svg.h"

namespace sscope::report {

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

constexpr double kLabelWidth = 250, kPlotWidth = 560, kBarHeight = 18, kRowHeight = 30;

std::string bar(const Measurement& m, double y, const Scale& scale) {
  const Spread spread = m.spread();
  const auto x = [&](double seconds) { return scale.at(1e3 * seconds); };
  const double middle = y + kBarHeight / 2;
  const std::string label = m.engine + " " + m.variant;
  std::string svg = "<g><title>" +
                    escaped(label + ": median " + shortNumber(1e3 * spread.median) + " ms, " +
                            std::to_string(m.samples.size()) + " repetitions") +
                    "</title>";
  svg += textAt(kLabelWidth - 8, middle + 4, "end", label);
  svg += "<rect x='" + number(kLabelWidth) + "' y='" + number(y) + "' width='" +
         number(x(spread.median) - kLabelWidth) + "' height='" + number(kBarHeight) + "' fill='" + colorOf(m.engine) +
         "'/>";
  svg += "<path d='M" + number(x(spread.firstQuartile)) + " " + number(middle) + "H" + number(x(spread.thirdQuartile));
  for (const double end : {spread.firstQuartile, spread.thirdQuartile})
    svg += "M" + number(x(end)) + " " + number(middle - 5) + "v10";
  svg += "' class='whisker'/>";
  return svg + textAt(x(spread.thirdQuartile) + 6, middle + 4, "start", shortNumber(1e3 * spread.median)) + "</g>\n";
}

}  // namespace

std::string medianChart(std::span<const Measurement* const> rows) {
  double limit = 0;
  std::size_t bars = 0;
  for (const Measurement* m : rows)
    if (m->hasFigures()) {
      limit = std::max(limit, 1e3 * m->spread().thirdQuartile);
      ++bars;
    }
  if (bars == 0 || limit <= 0) return "<p>No row has figures.</p>\n";
  const double height = kRowHeight * static_cast<double>(bars);
  const Scale scale(0, limit, false, kLabelWidth, kLabelWidth + kPlotWidth);
  std::string svg = svgOpen(kLabelWidth + kPlotWidth + 80, height + 50, "Median milliseconds per run");
  for (const double tick : scale.ticks())
    svg += "<path class='grid' d='M" + number(scale.at(tick)) + " 0V" + number(height) + "'/>" +
           textAt(scale.at(tick), height + 16, "middle", tickText(tick)) + "\n";
  double y = (kRowHeight - kBarHeight) / 2;
  for (const Measurement* m : rows)
    if (m->hasFigures()) {
      svg += bar(*m, y, scale);
      y += kRowHeight;
    }
  return svg + "<path class='axis' d='M" + number(kLabelWidth) + " 0V" + number(height) + "'/>" +
         textAt(kLabelWidth + kPlotWidth / 2, height + 38, "middle", "time of a run [ms]; whiskers: quartiles",
                "label") +
         "\n</svg>\n";
}

}  // namespace sscope::report
