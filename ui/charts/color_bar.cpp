#include "ui/charts/color_bar.h"

#include <QLinearGradient>
#include <QPainter>
#include <cmath>

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

void ColorBar::setScale(const ColorUse& colors, const std::array<double, 2>& window, bool logarithmic) {
  if (colors == colors_ && window == window_ && logarithmic == logarithmic_) return;
  colors_ = colors;
  window_ = window;
  logarithmic_ = logarithmic;
  const QString words =
      (logarithmic ? tr("logarithmic colors from %1 to %2; smaller values and zero have the first color")
                   : tr("colors from %1 to %2"))
          .arg(endText(0), endText(1));
  setToolTip(words);
  setAccessibleDescription(words);
  update();
}

QString ColorBar::endText(std::size_t end) const {
  return numberText(logarithmic_ ? std::pow(10, window_[end]) : window_[end], 4);
}

QSize ColorBar::sizeHint() const { return {em(this, kWidth), em(this, kHeight)}; }

// Marks below the strip that tell a logarithmic bar from a linear one; of every power of ten where there is room.
void ColorBar::drawDecades(QPainter& painter, const QRectF& strip) const {
  const double range = window_[1] - window_[0];
  if (!logarithmic_ || !(range > 0)) return;
  const double every = std::max(1.0, std::ceil(range * em(this, 0.4) / strip.width()));
  for (double power = every * std::ceil(window_[0] / every); power <= window_[1]; power += every) {
    const double x = strip.left() + strip.width() * (power - window_[0]) / range;
    painter.drawLine(QPointF(x, strip.bottom()), QPointF(x, strip.bottom() + 0.2 * height()));
  }
}

void ColorBar::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const QRectF strip((width() - em(this, kStrip)) / 2.0, 0.25 * height(), em(this, kStrip), 0.5 * height());
  QLinearGradient gradient(strip.topLeft(), strip.topRight());
  for (int step = 0; step <= 16; ++step) gradient.setColorAt(step / 16.0, usedColor(colors_, step / 16.0));
  painter.fillRect(strip, gradient);
  painter.setPen(quietColor(this));
  painter.drawRect(strip);
  drawDecades(painter, strip);
  painter.setPen(palette().color(QPalette::WindowText));
  const double gap = em(this, 0.35);
  painter.drawText(QRectF(0, 0, strip.left() - gap, height()), Qt::AlignRight | Qt::AlignVCenter, endText(0));
  painter.drawText(QRectF(strip.right() + gap, 0, width() - strip.right() - gap, height()),
                   Qt::AlignLeft | Qt::AlignVCenter, endText(1));
}

}  // namespace sscope

#include "moc_color_bar.cpp"
