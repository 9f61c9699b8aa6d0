#include "ui/charts/bar_chart.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/base/look.h"

namespace sscope {

namespace {

double endOf(const Bar& bar) { return std::max(bar.value, bar.before.value_or(0)); }

}  // namespace

BarChart::BarChart(QWidget* parent) : Plot(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred); }

void BarChart::setPlot(BarPlot plot) {
  const bool resized = plot.bars.size() != plot_.bars.size();
  plot_ = std::move(plot);
  setTitle(plot_.title, plot_.stem);
  if (lit() >= static_cast<int>(plot_.bars.size())) light(-1);
  QStringList texts;
  for (const Bar& bar : plot_.bars)
    texts << (bar.spoken.isEmpty() ? bar.name + QStringLiteral(": ") + bar.text : bar.spoken);
  if (!plot_.note.isEmpty()) texts << plot_.note;
  setAccessibleDescription(texts.join(QStringLiteral("; ")));
  if (resized) updateGeometry();
  update();
}

double BarChart::top() const {
  return below().top() + (plot_.note.isEmpty() && plot_.filled.isEmpty() ? 0.2 : 1.3) * line();
}

QColor BarChart::color() const { return plot_.color.isValid() ? plot_.color : wash(1); }

QSize BarChart::sizeHint() const {
  const double rows = rowHeight() * static_cast<double>(std::max<std::size_t>(2, plot_.bars.size()));
  return {em(this, 24), static_cast<int>(std::ceil(5.8 * line() + rows))};
}

QSize BarChart::minimumSizeHint() const { return {em(this, 12), sizeHint().height()}; }

void BarChart::draw(QPainter& painter) const {
  drawTitle(painter);
  const double em = line(), row = rowHeight();
  const QFontMetricsF metrics(font());
  const QRectF area = below();
  const std::vector<Bar>& bars = plot_.bars;
  painter.setPen(pale());
  if (!plot_.note.isEmpty())
    painter.drawText(bars.empty() ? area : QRectF(area.left(), area.top(), area.width(), 1.2 * em),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, plot_.note);
  if (!plot_.filled.isEmpty())
    drawLegend(
        painter, QRectF(area.left(), area.top(), area.width(), 1.1 * em),
        {{plot_.outline, [this](QPainter& p, const QRectF& box) { p.setPen(pale()), p.setBrush({}), p.drawRect(box); }},
         {plot_.filled, [this](QPainter& p, const QRectF& box) { p.fillRect(box, color()); }}});
  if (bars.empty()) return;
  double names = 0, texts = 0, highest = 0;
  for (const Bar& bar : bars) {
    names = std::max(names, metrics.horizontalAdvance(bar.name));
    texts = std::max(texts, metrics.horizontalAdvance(bar.text));
    highest = std::max(highest, endOf(bar));
  }
  names = std::min(names, 0.4 * width());
  const double wide = std::max(area.width() - names - texts - 1.6 * em, 4 * em);
  const QRectF plot(area.left() + names + 0.5 * em, top(), wide, row * static_cast<double>(bars.size()));
  const double scale = drawZeroBasedAxis(painter, plot, highest, plot_.axis);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const Bar& bar = bars[i];
    const double y = plot.top() + static_cast<double>(i) * row;
    QColor soft = color();
    soft.setAlphaF(0.15F);
    if (static_cast<int>(i) == lit()) painter.fillRect(QRectF(0, y, width(), row), soft);
    painter.setPen(ink());
    painter.drawText(QRectF(area.left(), y, names, row), Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(bar.name, Qt::ElideMiddle, names + 1));
    painter.drawText(QRectF(plot.left() + endOf(bar) * scale + 0.4 * em, y, width(), row),
                     Qt::AlignLeft | Qt::AlignVCenter, bar.text);
    const QRectF lane(plot.left(), y + 0.2 * row, 0, 0.6 * row);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(lane.adjusted(0, 0, bar.value * scale, 0), color());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(pale(), 1));
    if (bar.before) painter.drawRect(lane.adjusted(0, 0, *bar.before * scale, 0));
    painter.setRenderHint(QPainter::Antialiasing);
  }
}

QString BarChart::point(const QPointF& position) {
  const int row = static_cast<int>(std::floor((position.y() - top()) / rowHeight()));
  light(row >= 0 && row < static_cast<int>(plot_.bars.size()) ? row : -1);
  if (lit() < 0) return {};
  const Bar& bar = plot_.bars[static_cast<std::size_t>(lit())];
  return QStringLiteral("<b>%1</b><br>%2").arg(bar.name.toHtmlEscaped(), bar.tip);
}

}  // namespace sscope

#include "moc_bar_chart.cpp"
