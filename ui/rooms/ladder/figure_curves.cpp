// Lines over x; whiskers span the quartiles of what was measured.

#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/rooms/ladder/figure_canvas.h"

namespace sscope {

namespace {

struct Plot {
  QRectF area;
  AxisScale x, y;
};

Plot plotOf(const FigureCanvas& canvas) {
  std::vector<double> xs, ys;
  for (const FigureSeries& series : canvas.figure.series)
    for (const FigurePoint& point : series.points) {
      xs.push_back(point.x);
      ys.push_back(point.y);
      if (const auto spread = spreadAt(canvas, point, point.y, canvas.figure.y)) {
        ys.push_back(spread->low);
        ys.push_back(spread->high);
      }
    }
  const double line = canvas.line();
  const int rows = std::clamp(static_cast<int>(canvas.area.height() / (2.2 * line)), 2, 8);
  Plot plot;
  plot.y = scaleFor(canvas.figure.y, ys, false, 0, 1, rows);
  double labels = 0;
  for (const double tick : plot.y.ticks) labels = std::max(labels, canvas.width(plot.y.label(tick)));
  // The title of the vertical axis stands above it.
  plot.area = canvas.area.adjusted(labels + 0.5 * line, 1.5 * line, -0.6 * line, -2.6 * line);
  plot.y.from = plot.area.bottom();
  plot.y.to = plot.area.top();
  const int columns = std::clamp(static_cast<int>(plot.area.width() / (3.5 * line)), 2, 12);
  plot.x = scaleFor(canvas.figure.x, xs, true, plot.area.left(), plot.area.right(), columns);
  return plot;
}

void drawAxes(const FigureCanvas& canvas, const Plot& plot) {
  QPainter& painter = canvas.painter;
  const double line = canvas.line();
  QColor grid = canvas.text();
  const QColor pale = canvas.pale();
  for (const double tick : plot.y.ticks) {
    const double y = std::round(plot.y.at(tick)) + 0.5;
    grid.setAlphaF(tick == 0 ? 0.55F : 0.13F);
    painter.setPen(QPen(grid, 1));
    painter.drawLine(QPointF(plot.area.left(), y), QPointF(plot.area.right(), y));
    painter.setPen(pale);
    painter.drawText(QRectF(canvas.area.left(), y - line / 2, plot.area.left() - canvas.area.left() - 0.3 * line, line),
                     Qt::AlignRight | Qt::AlignVCenter, plot.y.label(tick));
  }
  double free = plot.area.left() - line;  // labels that would overlap are left out
  for (const double tick : plot.x.ticks) {
    const double x = std::round(plot.x.at(tick)) + 0.5;
    grid.setAlphaF(0.13F);
    painter.setPen(QPen(grid, 1));
    painter.drawLine(QPointF(x, plot.area.top()), QPointF(x, plot.area.bottom()));
    const QString label = plot.x.label(tick);
    const double half = canvas.width(label) / 2;
    if (x - half < free) continue;
    free = x + half + 0.3 * line;
    painter.setPen(pale);
    painter.drawText(QRectF(x - half - 2, plot.area.bottom() + 0.2 * line, 2 * half + 4, line), Qt::AlignCenter, label);
  }
  painter.setPen(pale);
  painter.drawText(QRectF(plot.area.left(), plot.area.bottom() + 1.3 * line, plot.area.width(), 1.2 * line),
                   Qt::AlignCenter, plot.x.title);
  painter.drawText(QRectF(canvas.area.left(), canvas.area.top(), canvas.area.width(), 1.2 * line),
                   Qt::AlignLeft | Qt::AlignVCenter, plot.y.title);
}

void drawSeries(FigureCanvas& canvas, const Plot& plot, std::size_t index) {
  QPainter& painter = canvas.painter;
  const FigureSeries& series = canvas.figure.series[index];
  const SeriesStyle style = styleOf(canvas.figure, index, canvas.palette);
  const double line = canvas.line();
  const auto place = [&](const FigurePoint& point) { return QPointF(plot.x.at(point.x), plot.y.at(point.y)); };
  const auto visible = [&](const FigurePoint& point) { return plot.x.shows(point.x) && plot.y.shows(point.y); };

  QPainterPath path;
  bool begun = false;
  for (const FigurePoint& point : series.points) {
    if (!visible(point)) continue;
    begun ? path.lineTo(place(point)) : path.moveTo(place(point));
    begun = true;
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(linePen(style, 0.1 * line));
  painter.drawPath(path);

  const QColor base = canvas.palette.color(QPalette::Base);
  const bool dense = series.points.size() > 24;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const FigurePoint& point = series.points[i];
    if (!visible(point)) continue;
    const QPointF at = place(point);
    if (const auto spread = spreadAt(canvas, point, point.y, canvas.figure.y)) {
      const double low = plot.y.at(spread->low), high = plot.y.at(spread->high), half = 0.16 * line;
      if (low - high > 2) {
        painter.setPen(QPen(canvas.text(), 1));
        painter.drawLine(QPointF(at.x(), low), QPointF(at.x(), high));
        for (const double y : {low, high}) painter.drawLine(QPointF(at.x() - half, y), QPointF(at.x() + half, y));
      }
    }
    const bool lit = canvas.isLit(index, i);
    const double radius = (dense ? 0.15 : 0.22) * line * (lit ? 1.6 : 1);
    drawMarker(painter, style, at, radius, style.published ? base : style.color);
    const double reach = 0.45 * line;
    canvas.marks.push_back({QRectF(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach), index, i});
  }
}

}  // namespace

void drawCurves(FigureCanvas& canvas) {
  const Plot plot = plotOf(canvas);
  drawAxes(canvas, plot);
  // Published ones first: what was measured here lies on top.
  for (const SeriesOrigin origin : {SeriesOrigin::Published, SeriesOrigin::Measured})
    for (std::size_t i = 0; i < canvas.figure.series.size(); ++i)
      if (canvas.figure.series[i].origin == origin) drawSeries(canvas, plot, i);
}

}  // namespace sscope
