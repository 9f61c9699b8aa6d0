#include "ui/controls/elided_label.h"

#include <QEvent>

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

}  // namespace sscope

#include "moc_elided_label.cpp"
