#pragma once
// A chart as a picture that leaves the window.

#include <QImage>
#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <cmath>

namespace sscope {

// What `draw` paints in the widget's logical pixels, on its base color, with `scale` pixels for each of them.
template <class Draw>
[[nodiscard]] QImage chartPicture(const QWidget& widget, double scale, const Draw& draw) {
  const auto pixels = [scale](int length) { return std::max(1, static_cast<int>(std::lround(length * scale))); };
  QImage image(pixels(widget.width()), pixels(widget.height()), QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  image.fill(widget.palette().color(QPalette::Base));
  QPainter painter(&image);
  draw(painter);
  painter.end();
  return image;
}

}  // namespace sscope
