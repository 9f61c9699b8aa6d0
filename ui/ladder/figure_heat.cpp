// Heat maps: one panel a series, each with a color scale of its own. A series of which only the mean was published is
// a hollow panel with that number.

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <algorithm>
#include <cmath>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/color_scale.h"
#include "ui/charts/engine_colors.h"
#include "ui/ladder/figure_canvas.h"

namespace sscope {

namespace {

constexpr double kPanelWidth = 15, kPanelHeight = 13.5;  // lines; the least width, the fixed height

std::vector<double> valuesAlong(const FigureSeries& series, double FigurePoint::*coordinate) {
  std::vector<double> values;
  for (const FigurePoint& point : series.points) values.push_back(point.*coordinate);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::size_t indexOf(const std::vector<double>& values, double value) {
  return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
}

int panelsPerRow(const Figure& figure, double line, double width) {
  return std::clamp(static_cast<int>(width / (kPanelWidth * line)), 1,
                    std::max(1, static_cast<int>(figure.series.size())));
}

// Labels beside the cells, as many as there is room for.
void drawLabels(const FigureCanvas& canvas, const QRectF& cells, const std::vector<double>& xs,
                const std::vector<double>& ys) {
  QPainter& painter = canvas.painter;
  const double line = canvas.line();
  painter.setPen(canvas.pale());
  const double cellWidth = cells.width() / static_cast<double>(xs.size());
  const double cellHeight = cells.height() / static_cast<double>(ys.size());
  double free = cells.left() - line;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const QString label = QString::number(xs[i], 'g', 4);
    const double x = cells.left() + (static_cast<double>(i) + 0.5) * cellWidth, half = canvas.width(label) / 2;
    if (x - half < free) continue;
    free = x + half + 0.35 * line;
    painter.drawText(QRectF(x - half - 2, cells.bottom() + 0.1 * line, 2 * half + 4, line), Qt::AlignCenter, label);
  }
  double room = cells.bottom() + line;
  for (std::size_t i = 0; i < ys.size(); ++i) {
    const double y = cells.bottom() - (static_cast<double>(i) + 0.5) * cellHeight;
    if (y + line / 2 > room) continue;
    room = y - line / 2;
    painter.drawText(QRectF(cells.left() - 2.2 * line, y - line / 2, 2 * line, line), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(ys[i], 'g', 4));
  }
}

void drawColorBar(const FigureCanvas& canvas, const QRectF& bar, double highest) {
  QPainter& painter = canvas.painter;
  const double line = canvas.line();
  QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
  for (int i = 0; i <= 8; ++i) gradient.setColorAt(i / 8.0, magnitudeColor(i / 8.0));
  painter.fillRect(bar, gradient);
  painter.setPen(canvas.pale());
  const double left = bar.right() + 0.2 * line;
  painter.drawText(QRectF(left, bar.top() - 0.2 * line, 4 * line, line), Qt::AlignLeft | Qt::AlignTop,
                   formatNumber(highest));
  painter.drawText(QRectF(left, bar.bottom() - 0.8 * line, 4 * line, line), Qt::AlignLeft | Qt::AlignBottom,
                   QStringLiteral("0"));
}

void drawMean(const FigureCanvas& canvas, const FigureSeries& series, const QRectF& box) {
  QPainter& painter = canvas.painter;
  QColor hatch = canvas.pale();
  hatch.setAlphaF(0.25F);
  painter.setPen(QPen(canvas.pale(), 1, Qt::DashLine));
  painter.setBrush(QBrush(hatch, Qt::BDiagPattern));
  painter.drawRect(box);
  painter.setPen(canvas.pale());
  const QString text =
      series.average
          ? QCoreApplication::translate("FigureChart", "mean %1").arg(figureValue(canvas.figure.value, *series.average))
          : QCoreApplication::translate("FigureChart", "no number published");
  const double width = canvas.width(text) + canvas.line();
  const QRectF plate(box.center().x() - width / 2, box.center().y() - canvas.line() * 0.8, width, canvas.line() * 1.6);
  painter.fillRect(plate, canvas.palette.color(QPalette::Base));
  painter.drawText(plate, Qt::AlignCenter, text);
}

void drawPanel(FigureCanvas& canvas, std::size_t index, const QRectF& panel) {
  QPainter& painter = canvas.painter;
  const FigureSeries& series = canvas.figure.series[index];
  const double line = canvas.line();
  const QFontMetricsF metrics(canvas.font);
  const bool published = series.origin == SeriesOrigin::Published;

  const QRectF title(panel.left(), panel.top(), panel.width() - 0.5 * line, 1.2 * line);
  if (!published)
    painter.fillRect(QRectF(title.left(), title.top() + 0.3 * line, 0.6 * line, 0.6 * line),
                     engineColor(series.engine));
  painter.setPen(published ? canvas.pale() : canvas.text());
  const double indent = published ? 0 : 0.9 * line;
  painter.drawText(title.adjusted(indent, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                   metrics.elidedText(toQt(series.name), Qt::ElideMiddle, title.width() - indent));
  const QRectF cells = panel.adjusted(3.4 * line, 1.5 * line, -4.2 * line, -3.2 * line);
  if (series.points.empty()) {
    drawMean(canvas, series, cells);
    return;
  }
  const std::vector<double> xs = valuesAlong(series, &FigurePoint::x), ys = valuesAlong(series, &FigurePoint::y);
  double highest = 0;
  for (const FigurePoint& point : series.points) highest = std::max(highest, point.value);
  const double width = cells.width() / static_cast<double>(xs.size());
  const double height = cells.height() / static_cast<double>(ys.size());
  painter.fillRect(cells, QBrush(canvas.palette.color(QPalette::AlternateBase)));
  painter.setRenderHint(QPainter::Antialiasing, false);
  QRectF lit;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const FigurePoint& point = series.points[i];
    const QRectF cell(cells.left() + static_cast<double>(indexOf(xs, point.x)) * width,
                      cells.bottom() - static_cast<double>(indexOf(ys, point.y) + 1) * height, width, height);
    // Rounded outwards: no seams between neighbors at fractional scales.
    painter.fillRect(QRectF(cell.toAlignedRect()), magnitudeColor(highest > 0 ? point.value / highest : 0));
    canvas.marks.push_back({cell, index, i});
    if (canvas.isLit(index, i)) lit = cell;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  if (!lit.isNull()) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Qt::black, 3.5));
    painter.drawRect(lit);
    painter.setPen(QPen(Qt::white, 1.5));
    painter.drawRect(lit);
  }
  drawLabels(canvas, cells, xs, ys);
  drawColorBar(canvas, QRectF(cells.right() + 0.5 * line, cells.top(), 0.6 * line, cells.height()), highest);
  painter.setPen(canvas.pale());
  painter.drawText(QRectF(cells.left() - 2 * line, cells.bottom() + 1.1 * line, cells.width() + 4 * line, 1.1 * line),
                   Qt::AlignCenter, toQt(canvas.figure.x.label));
  painter.save();
  painter.translate(panel.left() + 0.6 * line, cells.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-cells.height() / 2 - line, -0.6 * line, cells.height() + 2 * line, 1.2 * line),
                   Qt::AlignCenter, toQt(canvas.figure.y.label));
  painter.restore();
}

}  // namespace

double heatMapsHeight(const Figure& figure, double line, double width) {
  const int columns = panelsPerRow(figure, line, width);
  const int rows = (static_cast<int>(figure.series.size()) + columns - 1) / columns;
  return std::max(1, rows) * kPanelHeight * line;
}

void drawHeatMaps(FigureCanvas& canvas) {
  const double line = canvas.line();
  const int columns = panelsPerRow(canvas.figure, line, canvas.area.width());
  const double width = canvas.area.width() / columns;
  for (std::size_t i = 0; i < canvas.figure.series.size(); ++i) {
    const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
    drawPanel(canvas, i,
              QRectF(canvas.area.left() + column * width, canvas.area.top() + row * kPanelHeight * line, width,
                     kPanelHeight * line));
  }
}

}  // namespace sscope
