#include "ui/panels/fact_label.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QStyleOptionFocusRect>
#include <QStylePainter>
#include <utility>

namespace sscope {

FactLabel::FactLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
  setTextFormat(Qt::PlainText);  // what files say is no markup
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  setWordWrap(true);
}

void FactLabel::setEditable(const QString& typed) {
  editable_ = true;
  typed_ = typed;
  setFocusPolicy(Qt::StrongFocus);
}

void FactLabel::edit() {
  if (!editable_ || field_ != nullptr) return;
  field_ = new QLineEdit(typed_, parentWidget());
  field_->setObjectName(objectName() + QStringLiteral("Edit"));
  field_->setAccessibleName(accessibleName());
  field_->setToolTip(toolTip());
  field_->setGeometry(x(), y() + (height() - field_->sizeHint().height()) / 2, width(), field_->sizeHint().height());
  field_->installEventFilter(this);
  connect(field_, &QLineEdit::returnPressed, this, [this] {
    const QString text = field_->text().trimmed();
    setFocus();
    leave();
    if (text != typed_) Q_EMIT entered(text);
  });
  field_->show();
  field_->selectAll();
  field_->setFocus();
  Q_EMIT editing();
}

// Also called where the focus went: a window that is not active says nothing of it.
void FactLabel::leave() {
  if (field_ == nullptr) return;
  QLineEdit* const field = std::exchange(field_, nullptr);
  field->hide();
  field->deleteLater();
}

void FactLabel::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!editable_) return QLabel::mouseDoubleClickEvent(event);
  edit();
}

void FactLabel::keyPressEvent(QKeyEvent* event) {
  const bool wanted = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_F2;
  if (!editable_ || !wanted) return QLabel::keyPressEvent(event);
  edit();
}

bool FactLabel::eventFilter(QObject* watched, QEvent* event) {
  if (watched != field_) return QLabel::eventFilter(watched, event);
  const bool escape = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
  if (escape) setFocus();
  if (escape || event->type() == QEvent::FocusOut) leave();
  return escape;
}

void FactLabel::paintEvent(QPaintEvent* event) {
  QLabel::paintEvent(event);
  if (!editable_ || !hasFocus()) return;
  QStyleOptionFocusRect focus;
  focus.initFrom(this);
  QStylePainter(this).drawPrimitive(QStyle::PE_FrameFocusRect, focus);
}

}  // namespace sscope

#include "moc_fact_label.cpp"
