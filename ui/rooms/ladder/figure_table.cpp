// A table of a paper: one row a series, one column a category; published rows are gray.

#include <QFontMetricsF>
#include <algorithm>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"
#include "ui/rooms/ladder/figure_canvas.h"

namespace sscope {

namespace {

constexpr double kRow = 1.45;  // lines

}  // namespace

double figureTableHeight(const Figure& figure, double line) {
  return (static_cast<double>(figure.series.size()) + 1.4) * kRow * line;
}

void drawFigureTable(FigureCanvas& canvas) {
  QPainter& painter = canvas.painter;
  const double line = canvas.line(), row = kRow * line;
  const QFontMetricsF metrics(canvas.font);
  double names = 0;
  for (const FigureSeries& series : canvas.figure.series) names = std::max(names, canvas.width(toQt(series.name)));
  names = std::min(names + 1.4 * line, 0.45 * canvas.area.width());
  const double columns = std::max<double>(1, static_cast<double>(canvas.figure.categories.size()));
  const double width = std::min((canvas.area.width() - names) / columns, 14 * line);
  const auto cell = [&](double x, double y) {
    return QRectF(canvas.area.left() + names + x * width, y, width - 0.5 * line, row);
  };
  double y = canvas.area.top();
  painter.setPen(canvas.pale());
  for (std::size_t c = 0; c < canvas.figure.categories.size(); ++c) {
    const QRectF box = cell(static_cast<double>(c), y);
    painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(toQt(canvas.figure.categories[c]), Qt::ElideRight, box.width()));
  }
  y += row;
  QColor rule = canvas.text();
  rule.setAlphaF(0.4F);
  painter.setPen(QPen(rule, 1));
  painter.drawLine(QPointF(canvas.area.left(), y), QPointF(canvas.area.left() + names + columns * width, y));
  for (std::size_t s = 0; s < canvas.figure.series.size(); ++s) {
    const FigureSeries& series = canvas.figure.series[s];
    const bool published = series.origin == SeriesOrigin::Published;
    const QColor ink = published ? canvas.pale() : canvas.text();
    const QRectF swatch(canvas.area.left() + 0.1 * line, y + row / 2 - 0.3 * line, 0.6 * line, 0.6 * line);
    painter.setPen(QPen(published ? canvas.pale() : engineColor(series.engine), 1));
    painter.setBrush(published ? QBrush(Qt::NoBrush) : QBrush(engineColor(series.engine)));
    painter.drawRect(swatch);
    painter.setPen(ink);
    painter.drawText(QRectF(canvas.area.left() + 1.1 * line, y, names - 1.1 * line, row),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(toQt(series.name), Qt::ElideMiddle, names - 1.4 * line));
    for (std::size_t p = 0; p < series.points.size(); ++p) {
      const FigurePoint& point = series.points[p];
      const QRectF box = cell(point.x, y);
      if (canvas.isLit(s, p)) {
        QColor wash = canvas.palette.color(QPalette::Highlight);
        wash.setAlphaF(0.2F);
        painter.fillRect(box, wash);
      }
      painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter,
                       point.label.empty() ? figureValue(canvas.figure.value, point.value) : toQt(point.label));
      canvas.marks.push_back({box, s, p});
    }
    y += row;
  }
}

}  // namespace sscope
