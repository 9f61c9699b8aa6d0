#pragma once
// A small diamond for information next to a bar.

#include <QColor>
#include <QPainter>
#include <QPointF>
#include <QPolygonF>

namespace sscope {

inline void drawMark(QPainter& painter, const QPointF& center, double radius, const QColor& color, const QColor& rim) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(rim, 1));  // keeps dark shades visible in dark palettes
  painter.setBrush(color);
  painter.drawPolygon(QPolygonF({center - QPointF(radius, 0), center - QPointF(0, radius), center + QPointF(radius, 0),
                                 center + QPointF(0, radius)}));
  painter.restore();
}

}  // namespace sscope
