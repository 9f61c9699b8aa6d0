#pragma once
// A small diamond: something that is told beside a bar and is no part of it.

#include <QColor>
#include <QPainter>
#include <QPointF>
#include <QPolygonF>

namespace sscope {

inline void drawMark(QPainter& painter, const QPointF& center, double radius, const QColor& color, const QColor& rim) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(rim, 1));  // dark shades end somewhere in dark palettes, too
  painter.setBrush(color);
  painter.drawPolygon(QPolygonF({center - QPointF(radius, 0), center - QPointF(0, radius), center + QPointF(radius, 0),
                                 center + QPointF(0, radius)}));
  painter.restore();
}

}  // namespace sscope
