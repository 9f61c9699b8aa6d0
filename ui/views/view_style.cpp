#include "ui/views/view_style.h"

#include <array>
#include <cmath>

#include <QFontMetricsF>
#include <QPainterPath>

namespace sscope {

QColor viewBackground() { return {14, 16, 19}; }
QColor viewText() { return {222, 226, 232}; }

QColor axisColor(std::size_t physicalAxis) {
  static constexpr std::array<QRgb, 3> kColors{0xF2A65A, 0x6FCF97, 0x6CB4F5};
  return QColor(kColors[physicalAxis]);
}

QRectF drawRimmedText(QPainter& painter, const QRectF& area, int flags, const QString& text, const QColor& color) {
  const QFontMetricsF metrics(painter.font(), painter.device());
  QRectF box = metrics.boundingRect(area, flags, text);
  QPainterPath path;
  const QStringList lines = text.split('\n');
  double baseline = box.top() + metrics.ascent();
  for (const QString& line : lines) {
    const double width = metrics.horizontalAdvance(line);
    double x = box.left();
    if ((flags & Qt::AlignRight) != 0) x = box.right() - width;
    if ((flags & Qt::AlignHCenter) != 0) x = box.center().x() - width / 2;
    path.addText(QPointF(x, baseline), painter.font(), line);
    baseline += metrics.lineSpacing();
  }
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.strokePath(path,
                     QPen(QColor(0, 0, 0, 170), metrics.height() * 0.16, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.fillPath(path, color);
  painter.restore();
  return box;
}

void drawChip(QPainter& painter, const QRectF& area, Qt::Alignment corner, const QString& text, const QColor& ink) {
  if (text.isEmpty()) return;
  const QFontMetricsF metrics(painter.font(), painter.device());
  const double pad = metrics.height() * 0.32;
  QRectF box(0, 0, metrics.horizontalAdvance(text) + 3 * pad, metrics.height() + pad);
  box.moveTopLeft(area.topLeft());
  if (corner & Qt::AlignRight) box.moveRight(area.right());
  if (corner & Qt::AlignHCenter) box.moveLeft(area.center().x() - box.width() / 2);
  if (corner & Qt::AlignBottom) box.moveBottom(area.bottom());
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0, 0, 0, 150));
  painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
  painter.setPen(ink);
  painter.drawText(box, Qt::AlignCenter, text);
  painter.restore();
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

Overlay::Overlay(QWidget* parent, Paint paint) : QWidget(parent), paint_(std::move(paint)) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setAttribute(Qt::WA_TranslucentBackground);
}

void Overlay::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_(painter, QSizeF(size()));
}

}  // namespace sscope
