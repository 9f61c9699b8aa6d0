// Bars of several devices under one another in every category, on one scale: where the point is to compare devices.

#include <algorithm>

#include "core/measure/text_table.h"
#include "core/report/figure_svg.h"

namespace sscope::report {

namespace {

constexpr double kLabels = 170, kWidth = 620, kNumbers = 70, kBar = 13, kLane = 15, kGroupGap = 8, kFoot = 44,
                 kLegendLine = 18;

struct Bar {
  const FigureSeries* series;
  const FigurePoint* point;
};

std::vector<Bar> barsAt(const Figure& figure, std::size_t category) {
  std::vector<Bar> bars;
  for (const FigureSeries& series : figure.series)
    for (const FigurePoint& point : series.points)
      if (point.x == static_cast<double>(category)) bars.push_back({&series, &point});
  return bars;
}

double longest(const Figure& figure) {
  double most = 0;
  for (const FigureSeries& series : figure.series)
    for (const FigurePoint& point : series.points) most = std::max(most, point.y);
  return most;
}

std::string styleOf(const FigureSeries& series, Palette& palette) {
  const std::string color = palette.colorOf(series);
  return series.origin == SeriesOrigin::Published
             ? "class='hollow' stroke='" + color + "' stroke-width='1.5' stroke-dasharray='4 3'"
             : "fill='" + color + "'";
}

std::string box(double left, double top, double width, double height, const std::string& style) {
  return "<rect x='" + number(left) + "' y='" + number(top) + "' width='" + number(width) + "' height='" +
         number(height) + "' " + style + "/>";
}

std::string legend(const Figure& figure, Palette& palette) {
  std::string svg;
  double y = kLegendLine;
  for (const FigureSeries& series : figure.series) {
    const bool published = series.origin == SeriesOrigin::Published;
    std::string text = published ? series.name + ", published" : series.name;
    if (!published && !series.hardware.empty()) text += ": " + series.hardware;
    if (published) text += ": " + series.source;
    svg += box(kLabels, y - 10, 12, 12, styleOf(series, palette)) + textAt(kLabels + 18, y, "start", text) + "\n";
    y += kLegendLine;
  }
  return svg;
}

}  // namespace

std::string drawBarsBeside(const Figure& figure, Palette& palette) {
  const double top = kLegendLine * (static_cast<double>(figure.series.size()) + 0.7);
  const Scale scale(0, longest(figure), false, kLabels, kLabels + kWidth);
  std::string bars;
  double y = top;
  for (std::size_t c = 0; c < figure.categories.size(); ++c) {
    const std::vector<Bar> here = barsAt(figure, c);
    if (here.empty()) continue;
    const double height = kLane * static_cast<double>(here.size());
    bars += textAt(kLabels - 10, y + height / 2 + 4, "end", figure.categories[c]) + "\n";
    for (const Bar& bar : here) {
      const double end = scale.at(bar.point->y);
      bars += "<g><title>" + escaped(bar.point->label) + "</title>" +
              box(kLabels, y + (kLane - kBar) / 2, end - kLabels, kBar, styleOf(*bar.series, palette)) +
              textAt(end + 5, y + kLane - 4, "start", shortNumber(bar.point->y)) + "</g>\n";
      y += kLane;
    }
    y += kGroupGap;
  }
  std::string grid;
  for (const double tick : scale.ticks())
    grid += "<path class='grid' d='M" + number(scale.at(tick)) + " " + number(top) + "V" + number(y) + "'/>" +
            textAt(scale.at(tick), y + 16, "middle", tickText(tick)) + "\n";
  grid += "<path class='axis' d='M" + number(kLabels) + " " + number(top) + "V" + number(y) + "'/>\n";
  const Axis& axis = figure.y;
  return svgOpen(kLabels + kWidth + kNumbers, y + kFoot, figure.title) + legend(figure, palette) + grid + bars +
         textAt(kLabels + kWidth / 2, y + 34, "middle",
                axis.unit.empty() ? axis.label : axis.label + " [" + axis.unit + "]", "label") +
         "\n</svg>\n";
}

}  // namespace sscope::report
