#include "ui/views/view_style.h"

#include <array>
#include <cmath>

#include <QFontMetricsF>
#include <QPainterPath>
#include <QPixmap>
#include <QPixmapCache>

namespace sscope {

QColor viewBackground() { return {14, 16, 19}; }
QColor viewText() { return {222, 226, 232}; }

QColor axisColor(std::size_t physicalAxis) {
  static constexpr std::array<QRgb, 3> kColors{0xF2A65A, 0x6FCF97, 0x6CB4F5};
  return QColor(kColors[physicalAxis]);
}

namespace {

// Strokes and fills outlines of glyphs, which is slow; so the picture of a label is kept.
QPixmap rimmedLabel(const QFont& font, const QString& text, const QColor& color, double scale, double margin) {
  const QString key = QStringLiteral("rimmed %1 %2 %3 %4").arg(font.key(), color.name(), QString::number(scale), text);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  const QFontMetricsF metrics(font);
  const QSizeF size(metrics.horizontalAdvance(text) + 2 * margin, metrics.height() + 2 * margin);
  pixmap = QPixmap((size * scale).toSize() + QSize(1, 1));
  pixmap.setDevicePixelRatio(scale);
  pixmap.fill(Qt::transparent);
  QPainterPath path;
  path.addText(QPointF(margin, margin + metrics.ascent()), font, text);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  const QPen rim(QColor(0, 0, 0, 170), metrics.height() * 0.16, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
  painter.strokePath(path, rim);
  painter.fillPath(path, color);
  painter.end();
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

}  // namespace

QRectF rimmedTextRect(const QPainter& painter, const QRectF& area, int flags, const QString& text) {
  const QFontMetricsF metrics(painter.font());
  QRectF box(area.topLeft(), QSizeF(metrics.horizontalAdvance(text), metrics.height()));
  if ((flags & Qt::AlignRight) != 0) box.moveRight(area.right());
  if ((flags & Qt::AlignHCenter) != 0) box.moveLeft(area.center().x() - box.width() / 2);
  if ((flags & Qt::AlignBottom) != 0) box.moveBottom(area.bottom());
  if ((flags & Qt::AlignVCenter) != 0) box.moveTop(area.center().y() - box.height() / 2);
  return box;
}

QRectF drawRimmedText(QPainter& painter, const QRectF& area, int flags, const QString& text, const QColor& color) {
  const QRectF box = rimmedTextRect(painter, area, flags, text);
  const double scale = painter.transform().m11() * painter.device()->devicePixelRatioF();
  const double margin = 0.2 * box.height();
  const auto snapped = [scale](double x) { return std::round(x * scale) / scale; };
  painter.drawPixmap(QPointF(snapped(box.left() - margin), snapped(box.top() - margin)),
                     rimmedLabel(painter.font(), text, color, scale, margin));
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

}  // namespace sscope
