#include "ui/base/swatch.h"

#include <QPainter>

#include "ui/base/look.h"

namespace sscope {

Swatch::Swatch(const QColor& color, QWidget* parent) : QWidget(parent), color_(color) {
  setFixedSize(em(this, 0.65), em(this, 0.65));
}

void Swatch::setColor(const QColor& color) {
  color_ = color;
  update();
}

void Swatch::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(quietColor(this), 1));  // dark shades end somewhere in dark palettes, too
  painter.setBrush(color_);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), width() * 0.25, height() * 0.25);
}

}  // namespace sscope
