// Lines over x; whiskers span the quartiles of measurements.

#include <algorithm>
#include <cmath>

#include "core/report/axis_scale.h"
#include "core/report/figure_layout.h"

namespace sscope::report {

namespace {

constexpr double kLeastCurves = 16;  // lines
constexpr std::size_t kDense = 24;   // points whose markers are smaller

struct Plot {
  Box area;
  AxisScale x, y;
};

Plot plotOf(const FigureInk& ink, const Box& area) {
  std::vector<double> xs, ys;
  for (const FigureSeries& series : ink.figure.series)
    for (const FigurePoint& point : series.points) {
      xs.push_back(point.x);
      ys.push_back(point.y);
      if (const auto spread = spreadAt(ink.measurements, point, point.y, ink.figure.y)) {
        ys.push_back(spread->low);
        ys.push_back(spread->high);
      }
    }
  const double line = ink.font.line();
  const int rows = std::clamp(static_cast<int>(area.height / (2.2 * line)), 2, 8);
  // The title of the vertical axis is above it.
  const double top = area.top + 1.5 * line, bottom = area.bottom() - 2.6 * line;
  Plot plot;
  plot.y = scaleFor(ink.figure.y, std::move(ys), false, bottom, top, rows);
  double labels = 0;
  for (const double tick : plot.y.ticks) labels = std::max(labels, ink.font.width(plot.y.label(tick)));
  const double left = area.left + labels + 0.5 * line, right = area.right() - 0.6 * line;
  plot.area = {left, top, right - left, bottom - top};
  const int columns = std::clamp(static_cast<int>(plot.area.width / (3.5 * line)), 2, 12);
  plot.x = scaleFor(ink.figure.x, std::move(xs), true, left, right, columns);
  return plot;
}

void layAxes(const FigureInk& ink, DisplayList& list, const Plot& plot, const Box& area) {
  const double line = ink.font.line();
  const Box& box = plot.area;
  for (const double tick : plot.y.ticks) {
    const double y = crisp(plot.y.at(tick));
    list.addLine({box.left, y}, {box.right(), y}, {tick == 0 ? Role::Axis : Role::Grid});
    list.add(Text{{box.left - 0.3 * line, y}, Anchor::End, plot.y.label(tick), {Role::Pale}});
  }
  double free = box.left - line;  // labels that would overlap are left out
  for (const double tick : plot.x.ticks) {
    const double x = crisp(plot.x.at(tick));
    list.addLine({x, box.top}, {x, box.bottom()}, {Role::Grid});
    const std::string label = plot.x.label(tick);
    const double half = ink.font.width(label) / 2;
    if (x - half < free) continue;
    free = x + half + 0.3 * line;
    list.add(Text{{x, box.bottom() + 0.7 * line}, Anchor::Middle, label, {Role::Pale}});
  }
  const auto titleOf = [](const AxisScale& scale) { return scale.title + (scale.log ? ", log scale" : ""); };
  list.add(Text{{box.center().x, box.bottom() + 1.9 * line}, Anchor::Middle, titleOf(plot.x), {Role::Pale}});
  list.add(Text{{area.left, area.top + 0.6 * line}, Anchor::Start, titleOf(plot.y), {Role::Pale}});
}

void laySeries(const FigureInk& ink, DisplayList& list, const Plot& plot, std::size_t index) {
  const FigureSeries& series = ink.figure.series[index];
  const SeriesLook& look = ink.looks[index];
  const double line = ink.font.line();
  const auto place = [&](const FigurePoint& point) { return Point{plot.x.at(point.x), plot.y.at(point.y)}; };
  const auto visible = [&](const FigurePoint& point) { return plot.x.shows(point.x) && plot.y.shows(point.y); };
  Polyline path{{}, look.paint, 0.12 * line, look.dash};
  for (const FigurePoint& point : series.points)
    if (visible(point)) path.points.push_back(place(point));
  if (path.points.size() > 1) list.add(std::move(path));
  const double radius = (series.points.size() > kDense ? 0.15 : 0.22) * line, reach = 0.45 * line;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const FigurePoint& point = series.points[i];
    if (!visible(point)) continue;
    const Point at = place(point);
    list.beginTarget({{at.x - reach, at.y - reach, 2 * reach, 2 * reach}, index, i, point.label});
    if (const auto spread = spreadAt(ink.measurements, point, point.y, ink.figure.y)) {
      const double low = plot.y.at(spread->low), high = plot.y.at(spread->high), half = 0.16 * line;
      if (low - high > 2) {
        list.addLine({at.x, low}, {at.x, high}, {Role::Ink});
        for (const double y : {low, high}) list.addLine({at.x - half, y}, {at.x + half, y}, {Role::Ink});
      }
    }
    list.add(markerAt(look, at, radius));
    list.endTarget();
  }
}

}  // namespace

void layCurves(const FigureInk& ink, DisplayList& list, double height) {
  const Box area{0, list.height, list.width, std::max(height, kLeastCurves * ink.font.line())};
  const Plot plot = plotOf(ink, area);
  layAxes(ink, list, plot, area);
  // Series measured here are painted on top.
  for (const SeriesOrigin origin : {SeriesOrigin::Published, SeriesOrigin::Measured})
    for (std::size_t i = 0; i < ink.figure.series.size(); ++i)
      if (ink.figure.series[i].origin == origin) laySeries(ink, list, plot, i);
  list.height = area.bottom();
}

}  // namespace sscope::report
