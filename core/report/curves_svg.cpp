// Curves: axes, grid, lines with markers, and a legend beside the plot. Published series are dashed with hollow
// markers.

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/report/figure_svg.h"

namespace sscope::report {

namespace {

constexpr double kCurvesLeft = 66, kCurvesTop = 14, kCurvesWidth = 560, kCurvesHeight = 330, kBottom = 52,
                 kLegendGap = 22, kLine = 18;
constexpr double kLegendWidth = 330;
constexpr std::size_t kMostDataTicks = 12;

std::string markerAt(std::size_t shape, double x, double y, const std::string& style) {
  constexpr double r = 4;
  const auto polygon = [&](const std::string& path) { return "<path d='" + path + "' " + style + "/>"; };
  switch (shape % 5) {
    case 1: return polygon("M" + number(x - r) + " " + number(y - r) + "h8v8h-8z");
    case 2: return polygon("M" + number(x) + " " + number(y - r - 1) + "l5 9h-10z");
    case 3: return polygon("M" + number(x) + " " + number(y - r - 1) + "l5 5l-5 5l-5 -5z");
    case 4: return polygon("M" + number(x) + " " + number(y + r + 1) + "l5 -9h-10z");
    default: return "<circle cx='" + number(x) + "' cy='" + number(y) + "' r='" + number(r) + "' " + style + "/>";
  }
}

struct Range {
  double low = 0, high = 0;
  void add(double value) {
    low = any ? std::min(low, value) : value;
    high = any ? std::max(high, value) : value;
    any = true;
  }
  bool any = false;
};

bool drawable(const Figure& figure, const FigurePoint& point) {
  return (!figure.x.log || point.x > 0) && (!figure.y.log || point.y > 0);
}

std::string axisLabel(const Axis& axis) { return axis.unit.empty() ? axis.label : axis.label + " [" + axis.unit + "]"; }

std::string axes(const Figure& figure, const Scale& x, const Scale& y) {
  std::string svg;
  const double bottom = kCurvesTop + kCurvesHeight, right = kCurvesLeft + kCurvesWidth;
  for (const double tick : y.ticks()) {
    svg += "<path class='grid' d='M" + number(kCurvesLeft) + " " + number(y.at(tick)) + "H" + number(right) + "'/>";
    svg += textAt(kCurvesLeft - 8, y.at(tick) + 4, "end", tickText(tick)) + "\n";
  }
  for (const double tick : x.ticks()) {
    svg += "<path class='grid' d='M" + number(x.at(tick)) + " " + number(kCurvesTop) + "V" + number(bottom) + "'/>";
    svg += textAt(x.at(tick), bottom + 17, "middle", tickText(tick)) + "\n";
  }
  svg += "<path class='axis' d='M" + number(kCurvesLeft) + " " + number(kCurvesTop) + "V" + number(bottom) + "H" +
         number(right) + "'/>\n";
  svg += textAt(kCurvesLeft + kCurvesWidth / 2, bottom + 40, "middle",
                axisLabel(figure.x) + (figure.x.log ? ", log scale" : ""), "label");
  const std::string middle = number(kCurvesTop + kCurvesHeight / 2);
  svg += "<g transform='rotate(-90 16 " + middle + ")'>" +
         textAt(16, kCurvesTop + kCurvesHeight / 2, "middle", axisLabel(figure.y) + (figure.y.log ? ", log scale" : ""),
                "label") +
         "</g>\n";
  return svg;
}

std::string seriesSvg(const Figure& figure, const FigureSeries& series, const Scale& x, const Scale& y,
                      Palette& palette, double legendY) {
  const bool published = series.origin == SeriesOrigin::Published;
  const std::string color = palette.colorOf(series);
  const std::size_t shape = palette.markerOf(series);
  const std::string line =
      "fill='none' stroke='" + color + "' stroke-width='2'" + (published ? " stroke-dasharray='5 4'" : "");
  const std::string mark =
      published ? "class='hollow' stroke='" + color + "' stroke-width='2'" : "fill='" + color + "'";
  std::string path, marks;
  for (const FigurePoint& point : series.points) {
    if (!drawable(figure, point)) continue;
    const double px = x.at(point.x), py = y.at(point.y);
    path += (path.empty() ? "M" : "L") + number(px) + " " + number(py);
    marks += "<g><title>" + escaped(point.label) + "</title>" + markerAt(shape, px, py, mark) + "</g>\n";
  }
  const double left = kCurvesLeft + kCurvesWidth + kLegendGap;
  std::string svg = "<path d='" + path + "' " + line + "/>\n" + marks;
  svg += "<g><title>" + escaped(series.hardware + (series.source.empty() ? "" : "; " + series.source)) + "</title>";
  svg += "<path d='M" + number(left) + " " + number(legendY) + "h26' " + line + "/>" +
         markerAt(shape, left + 13, legendY, mark) + textAt(left + 34, legendY + 4, "start", series.name) + "</g>\n";
  return svg;
}

}  // namespace

std::string drawCurves(const Figure& figure, Palette& palette) {
  Range xs, ys;
  std::set<double> places;
  for (const FigureSeries& series : figure.series)
    for (const FigurePoint& point : series.points)
      if (drawable(figure, point)) {
        xs.add(point.x);
        ys.add(point.y);
        places.insert(point.x);
      }
  if (!xs.any) return {};
  Scale x(xs.low, xs.high, figure.x.log, kCurvesLeft, kCurvesLeft + kCurvesWidth);
  const Scale y(ys.low, ys.high, figure.y.log, kCurvesTop + kCurvesHeight, kCurvesTop);
  if (figure.x.log && places.size() <= kMostDataTicks) x.tickAt({places.begin(), places.end()});
  // Measured and published under a heading each.
  double legend = kCurvesTop + 6;
  std::string body = axes(figure, x, y);
  for (const SeriesOrigin origin : {SeriesOrigin::Measured, SeriesOrigin::Published}) {
    bool any = false;
    for (const FigureSeries& series : figure.series) {
      if (series.origin != origin) continue;
      if (!any) {
        body += textAt(kCurvesLeft + kCurvesWidth + kLegendGap, legend + 4, "start",
                       origin == SeriesOrigin::Measured ? "Measured on this machine" : "Published", "label");
        legend += kLine;
        any = true;
      }
      body += seriesSvg(figure, series, x, y, palette, legend);
      legend += kLine;
    }
    if (any) legend += kLine / 2;
  }
  const double height = std::max(kCurvesTop + kCurvesHeight + kBottom, legend);
  return svgOpen(kCurvesLeft + kCurvesWidth + kLegendGap + kLegendWidth, height, figure.title) + body + "</svg>\n";
}

}  // namespace sscope::report
