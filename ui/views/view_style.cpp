#include "ui/views/view_style.h"
#include "ui/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QFontMetricsF>

namespace sscope {

QColor viewBackground() { return {14, 16, 19}; }
QColor viewText() { return {222, 226, 232}; }

QColor axisColor(std::size_t physicalAxis) {
  static constexpr std::array<QRgb, 3> kColors{0xF2A65A, 0x6FCF97, 0x6CB4F5};
  return QColor(kColors[physicalAxis]);
}

namespace {

// Dark enough for the text on white and thin enough to see what lies below it on black.
constexpr QColor kPlate(8, 10, 12, 190);
constexpr double kPlateMargin = 0.22;  // of the text's height, at its ends

// `length` grid points, written as `number`.
QString lengthText(double length, const QString& number, GridPoint point) {
  if (point == GridPoint::Site) return length == 1 ? Words::tr("1 site") : Words::tr("%1 sites").arg(number);
  if (point == GridPoint::Pixel) return length == 1 ? Words::tr("1 pixel") : Words::tr("%1 pixels").arg(number);
  return length == 1 ? Words::tr("1 voxel") : Words::tr("%1 voxels").arg(number);
}

}  // namespace

QRectF labelRect(const QPainter& painter, const QRectF& area, int flags, const QString& text) {
  const QFontMetricsF metrics(painter.font());
  const double margin = kPlateMargin * metrics.height();
  QRectF box(area.topLeft(), QSizeF(metrics.horizontalAdvance(text) + 2 * margin, metrics.height()));
  if ((flags & Qt::AlignRight) != 0) box.moveRight(area.right());
  if ((flags & Qt::AlignHCenter) != 0) box.moveLeft(area.center().x() - box.width() / 2);
  if ((flags & Qt::AlignBottom) != 0) box.moveBottom(area.bottom());
  if ((flags & Qt::AlignVCenter) != 0) box.moveTop(area.center().y() - box.height() / 2);
  return box;
}

void drawPlate(QPainter& painter, const QRectF& box) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(kPlate);
  const double radius = 0.25 * QFontMetricsF(painter.font()).height();
  painter.drawRoundedRect(box, radius, radius);
  painter.restore();
}

QString fittingText(const QPainter& painter, const QString& text, double width) {
  const QFontMetricsF metrics(painter.font());
  return metrics.elidedText(text, Qt::ElideRight, std::max(0.0, width - 2 * kPlateMargin * metrics.height()));
}

QRectF drawLabel(QPainter& painter, const QRectF& area, int flags, const QString& text, const QColor& color) {
  const QRectF box = labelRect(painter, area, flags, text);
  drawPlate(painter, box);
  painter.save();
  painter.setPen(color);
  painter.drawText(box, Qt::AlignCenter, text);
  painter.restore();
  return box;
}

ScaleBar roundScaleBar(double longest, const QString& unit, GridPoint point) {
  if (!(longest > 0)) return {};
  const double decade = std::pow(10.0, std::floor(std::log10(longest)));
  double length = decade;
  for (const double step : {2.0, 5.0})
    if (step * decade <= longest) length = step * decade;
  const QString number = QString::number(length, 'g', 6);
  return {length, unit.isEmpty() ? lengthText(length, number, point) : QStringLiteral("%1 %2").arg(number, unit)};
}

QRectF scaleBarRect(const QPainter& painter, const QRectF& area, const ScaleBar& bar, double length) {
  const double tick = 0.25 * QFontMetricsF(painter.font()).height();
  QRectF box = labelRect(painter, area, Qt::AlignLeft | Qt::AlignBottom, bar.text);
  box.setWidth(std::max(box.width(), length + 3 * tick));
  box.setTop(box.top() - 1.8 * tick);
  return box;
}

void drawScaleBar(QPainter& painter, const QRectF& box, const ScaleBar& bar, double length) {
  const double tick = 0.25 * QFontMetricsF(painter.font()).height();
  const double lineHeight = box.height() - 1.8 * tick;
  drawPlate(painter, box);
  painter.save();
  painter.setPen(viewText());
  painter.drawText(QRectF(box.left() + 1.5 * tick, box.top(), box.width(), lineHeight),
                   Qt::AlignLeft | Qt::AlignVCenter, bar.text);
  const double y = box.top() + lineHeight + 0.6 * tick, left = box.left() + 1.5 * tick;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(viewText(), 1.6, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(QPointF(left, y), QPointF(left + length, y));
  for (const double end : {left, left + length})
    painter.drawLine(QPointF(end, y - tick / 2), QPointF(end, y + tick / 2));
  painter.restore();
}

}  // namespace sscope
