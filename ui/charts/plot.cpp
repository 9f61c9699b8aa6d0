#include "ui/charts/plot.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/base/look.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {
constexpr double kMargin = 0.5, kHead = 1.7;  // lines
}

Plot::Plot(QWidget* parent) : Chart(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void Plot::setTitle(const QString& title, const QString& stem) {
  title_ = title;
  stem_ = stem;
  setAccessibleName(title);
}

double Plot::line() const { return QFontMetricsF(font()).height(); }

QSize Plot::sizeHint() const { return {em(this, 22), em(this, 12)}; }
QSize Plot::minimumSizeHint() const { return {em(this, 11), em(this, 6)}; }

void Plot::drawTitle(QPainter& painter) const {
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(palette().color(QPalette::Text));
  const double margin = kMargin * line(), inner = width() - 2 * margin;
  painter.drawText(QRectF(margin, 0.25 * line(), inner, 1.2 * line()), Qt::AlignVCenter | Qt::AlignLeft,
                   QFontMetricsF(bold).elidedText(title_, Qt::ElideRight, inner));
  painter.setFont(font());
}

QRectF Plot::below() const {
  const double margin = kMargin * line();
  return QRectF(rect()).adjusted(margin, kHead * line(), -margin, -margin);
}

double Plot::drawZeroBasedAxis(QPainter& painter, const QRectF& area, double highest, const QString& name) const {
  const double em = line();
  const QFontMetricsF metrics(font());
  const QColor pale = palette().color(QPalette::PlaceholderText);
  const auto ticks = zeroBasedTicks(highest, std::clamp(static_cast<int>(area.width() / (3.5 * em)), 1, 6));
  const double scale = area.width() / ticks.back();
  QColor grid = palette().color(QPalette::Text);
  for (const double tick : ticks) {
    const double at = std::round(area.left() + tick * scale) + 0.5;
    grid.setAlphaF(tick == 0 ? 0.55F : 0.13F);
    painter.setPen(QPen(grid, 1));
    painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()));
    painter.setPen(pale);
    const QString label = QString::number(tick, 'g', 4);
    const double half = metrics.horizontalAdvance(label) / 2 + 1;
    painter.drawText(QRectF(at - half, area.bottom() + 0.15 * em, 2 * half, em), Qt::AlignCenter, label);
  }
  painter.setPen(pale);
  painter.drawText(QRectF(area.left(), area.bottom() + 1.1 * em, area.width(), 1.1 * em), Qt::AlignCenter, name);
  return scale;
}

void Plot::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  prepare(painter);
  draw(painter);
  drawFocus(painter);
}

void Plot::mouseMoveEvent(QMouseEvent* event) {
  const QString tip = point(event->position());
  if (tip.isEmpty()) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(event->globalPosition().toPoint(), tip, this);
  }
}

void Plot::leaveEvent(QEvent* /*event*/) { leave(); }

}  // namespace sscope

#include "moc_plot.cpp"
