// Bars of several devices under one another in every category, on one scale: where the point is to compare devices.

#include <algorithm>

#include "core/measure/text_table.h"
#include "core/report/figure_svg.h"

namespace sscope::report {

namespace {

constexpr double kBesideLabels = 170, kBesideWidth = 620, kNumbers = 70, kBesideBar = 13, kBesideLane = 15,
                 kGroupGap = 8, kBesideFoot = 44, kBesideLegendLine = 18;

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

std::string legend(const Figure& figure, Palette& palette) {
  std::string svg;
  double y = kBesideLegendLine;
  for (const FigureSeries& series : figure.series) {
    const bool published = series.origin == SeriesOrigin::Published;
    std::string text = published ? series.name + ", published" : series.name;
    if (!published && !series.hardware.empty()) text += ": " + series.hardware;
    if (published) text += ": " + series.source;
    svg += rectangle(kBesideLabels, y - 10, 12, 12, styleOf(series, palette)) +
           textAt(kBesideLabels + 18, y, "start", text) + "\n";
    y += kBesideLegendLine;
  }
  return svg;
}

}  // namespace

std::string drawBarsBeside(const Figure& figure, Palette& palette) {
  const double top = kBesideLegendLine * (static_cast<double>(figure.series.size()) + 0.7);
  const Scale scale(0, longest(figure), false, kBesideLabels, kBesideLabels + kBesideWidth);
  std::string bars;
  double y = top;
  for (std::size_t c = 0; c < figure.categories.size(); ++c) {
    const std::vector<Bar> here = barsAt(figure, c);
    if (here.empty()) continue;
    const double height = kBesideLane * static_cast<double>(here.size());
    bars += textAt(kBesideLabels - 10, y + height / 2 + 4, "end", figure.categories[c]) + "\n";
    for (const Bar& bar : here) {
      const double end = scale.at(bar.point->y);
      bars += "<g><title>" + escaped(bar.point->label) + "</title>" +
              rectangle(kBesideLabels, y + (kBesideLane - kBesideBar) / 2, end - kBesideLabels, kBesideBar,
                        styleOf(*bar.series, palette)) +
              textAt(end + 5, y + kBesideLane - 4, "start", shortNumber(bar.point->y)) + "</g>\n";
      y += kBesideLane;
    }
    y += kGroupGap;
  }
  std::string grid;
  for (const double tick : scale.ticks())
    grid += "<path class='grid' d='M" + number(scale.at(tick)) + " " + number(top) + "V" + number(y) + "'/>" +
            textAt(scale.at(tick), y + 16, "middle", tickText(tick)) + "\n";
  grid += "<path class='axis' d='M" + number(kBesideLabels) + " " + number(top) + "V" + number(y) + "'/>\n";
  const Axis& axis = figure.y;
  return svgOpen(kBesideLabels + kBesideWidth + kNumbers, y + kBesideFoot, figure.title) + legend(figure, palette) +
         grid + bars +
         textAt(kBesideLabels + kBesideWidth / 2, y + 34, "middle",
                axis.unit.empty() ? axis.label : axis.label + " [" + axis.unit + "]", "label") +
         "\n</svg>\n";
}

}  // namespace sscope::report
