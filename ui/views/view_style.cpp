#include "ui/views/view_style.h"

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

ScaleBar roundScaleBar(double longest, const QString& unit) {
  if (!(longest > 0)) return {};
  const double decade = std::pow(10.0, std::floor(std::log10(longest)));
  double length = decade;
  for (const double step : {2.0, 5.0})
    if (step * decade <= longest) length = step * decade;
  QString word = unit;
  if (word.isEmpty()) word = length == 1 ? QStringLiteral("voxel") : QStringLiteral("voxels");
  return {length, QStringLiteral("%1 %2").arg(length, 0, 'g', 6).arg(word)};
}

}  // namespace sscope
