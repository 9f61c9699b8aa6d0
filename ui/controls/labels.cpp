#include "ui/controls/labels.h"

#include <QEvent>
#include <QPainter>
#include <QProgressBar>

#include "ui/base/look.h"

namespace sscope {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ElidedLabel::setWholeText(const QString& text, const QString& tip) {
  whole_ = text;
  setToolTip(tip.isEmpty() ? text : tip);
  setAccessibleDescription(text);
  elide();
}

QSize ElidedLabel::minimumSizeHint() const { return {0, fontMetrics().height()}; }
QSize ElidedLabel::sizeHint() const { return {fontMetrics().horizontalAdvance(whole_), fontMetrics().height()}; }

void ElidedLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  elide();
}

void ElidedLabel::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::FontChange) elide();
}

void ElidedLabel::elide() {
  QString shown = whole_;
  shown.replace(QLatin1Char('\n'), QLatin1Char(' '));
  setText(fontMetrics().elidedText(shown, Qt::ElideMiddle, contentsRect().width()));
}

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
  painter.setPen(QPen(quietColor(this), 1));  // outlines dark shades in dark palettes
  painter.setBrush(color_);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), width() * 0.25, height() * 0.25);
}

void showProgress(QProgressBar* bar, double fraction, const QString& stage) {
  bar->setRange(0, fraction < 0 ? 0 : 1000);
  bar->setValue(static_cast<int>(1000 * fraction));
  bar->setFormat(stage);
}

}  // namespace sscope

#include "moc_labels.cpp"
