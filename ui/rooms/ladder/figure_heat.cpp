// Heat maps: one panel a series, each with a color scale of its own. Of published maps only the means are known; they
// stand in gray below the map of the same rung.

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/color_scale.h"
#include "ui/charts/engine_colors.h"
#include "ui/rooms/ladder/figure_canvas.h"

namespace sscope {

namespace {

// In lines: the least width and the height of a panel, what a panel without a map has beside its means, a mean.
constexpr double kPanelWidth = 17, kPanelHeight = 13.5, kTitleHeight = 2.2, kMeanHeight = 1.1;

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

// The means that were published for a rung, each in a line.
QStringList publishedMeans(const Figure& figure, const std::string& variant) {
  QStringList lines;
  for (const FigureSeries& series : figure.series)
    if (series.origin == SeriesOrigin::Published && series.points.empty() && series.average &&
        series.variant == variant)
      lines << QStringLiteral("%1: %2").arg(toQt(series.hardware), figureValue(figure.value, *series.average));
  if (!lines.isEmpty()) lines.prepend(QCoreApplication::translate("FigureChart", "published means"));
  return lines;
}

// One panel for each series with a map, and one for each rung of which only means are known.
std::vector<std::size_t> panelsOf(const Figure& figure) {
  std::vector<std::size_t> panels;
  for (const bool maps : {true, false})
    for (std::size_t i = 0; i < figure.series.size(); ++i) {
      if (figure.series[i].points.empty() == maps) continue;
      const bool shown = std::any_of(panels.begin(), panels.end(), [&](std::size_t other) {
        return figure.series[other].variant == figure.series[i].variant;
      });
      if (maps || !shown) panels.push_back(i);
    }
  return panels;
}

std::size_t panelsPerRow(const Figure& figure, double line, double width) {
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(1.0, width / (kPanelWidth * line))), 1,
                                 std::max<std::size_t>(1, panelsOf(figure).size()));
}

// Rows of panels from the top; one without maps is as low as its means.
std::vector<double> rowHeights(const Figure& figure, double line, std::size_t columns) {
  const std::vector<std::size_t> panels = panelsOf(figure);
  std::vector<double> heights;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    if (i % columns == 0) heights.push_back(0);
    const FigureSeries& series = figure.series[panels[i]];
    const double means = kMeanHeight * static_cast<double>(publishedMeans(figure, series.variant).size());
    heights.back() = std::max(heights.back(), ((series.points.empty() ? kTitleHeight : kPanelHeight) + means) * line);
  }
  return heights;
}

void drawMeans(const FigureCanvas& canvas, const FigureSeries& series, double left, double top, double width) {
  const QFontMetricsF metrics(canvas.font);
  const double line = canvas.line();
  canvas.painter.setPen(canvas.pale());
  for (const QString& mean : publishedMeans(canvas.figure, series.variant)) {
    canvas.painter.drawText(QRectF(left, top, width, kMeanHeight * line), Qt::AlignVCenter | Qt::AlignLeft,
                            metrics.elidedText(mean, Qt::ElideMiddle, width));
    top += kMeanHeight * line;
  }
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
                   metrics.elidedText(toQt(series.points.empty() ? series.variant : series.name), Qt::ElideMiddle,
                                      title.width() - indent));
  if (series.points.empty()) {
    drawMeans(canvas, series, panel.left(), panel.top() + 1.4 * line, panel.width() - 0.5 * line);
    return;
  }
  const QRectF cells(panel.left() + 3.4 * line, panel.top() + 1.5 * line, panel.width() - 7.6 * line,
                     (kPanelHeight - 4.2) * line);
  drawMeans(canvas, series, panel.left() + 0.9 * line, cells.bottom() + 2.3 * line, panel.width() - 1.4 * line);
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
  const std::vector<double> heights = rowHeights(figure, line, panelsPerRow(figure, line, width));
  return std::accumulate(heights.begin(), heights.end(), 0.0);
}

void drawHeatMaps(FigureCanvas& canvas) {
  const std::size_t columns = panelsPerRow(canvas.figure, canvas.line(), canvas.area.width());
  const std::vector<double> heights = rowHeights(canvas.figure, canvas.line(), columns);
  const double width = canvas.area.width() / static_cast<double>(columns);
  const std::vector<std::size_t> panels = panelsOf(canvas.figure);
  double top = canvas.area.top();
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double left = canvas.area.left() + static_cast<double>(i % columns) * width;
    drawPanel(canvas, panels[i], QRectF(left, top, width, heights[i / columns]));
    if (i % columns == columns - 1) top += heights[i / columns];
  }
}

}  // namespace sscope
