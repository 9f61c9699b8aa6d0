#include "ui/charts/color_bar.h"

#include <QLinearGradient>
#include <QPainter>

#include "ui/base/look.h"
#include "ui/base/text.h"

namespace sscope {

namespace {
constexpr double kWidth = 19, kHeight = 1.4, kStrip = 6.5;  // heights of a line of text
}

ColorBar::ColorBar(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAccessibleName(tr("Colors and their values"));
}

void ColorBar::setScale(ColorMap map, const std::array<double, 2>& window) {
  if (map == map_ && window == window_) return;
  map_ = map;
  window_ = window;
  const QString words = tr("colors from %1 to %2").arg(numberText(window[0], 3), numberText(window[1], 3));
  setToolTip(words);
  setAccessibleDescription(words);
  update();
}

QSize ColorBar::sizeHint() const { return {em(this, kWidth), em(this, kHeight)}; }

void ColorBar::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const QRectF strip((width() - em(this, kStrip)) / 2.0, 0.25 * height(), em(this, kStrip), 0.5 * height());
  QLinearGradient gradient(strip.topLeft(), strip.topRight());
  for (int step = 0; step <= 16; ++step) gradient.setColorAt(step / 16.0, mapColor(map_, step / 16.0));
  painter.fillRect(strip, gradient);
  painter.setPen(quietColor(this));
  painter.drawRect(strip);
  painter.setPen(palette().color(QPalette::WindowText));
  const double gap = em(this, 0.35);
  painter.drawText(QRectF(0, 0, strip.left() - gap, height()), Qt::AlignRight | Qt::AlignVCenter,
                   numberText(window_[0], 3));
  painter.drawText(QRectF(strip.right() + gap, 0, width() - strip.right() - gap, height()),
                   Qt::AlignLeft | Qt::AlignVCenter, numberText(window_[1], 3));
}

}  // namespace sscope
