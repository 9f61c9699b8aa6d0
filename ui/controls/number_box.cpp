#include "ui/controls/number_box.h"

#include <QKeyEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/base/look.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

double defaultStep(double value, int steps) {
  const double magnitude = value == 0 ? 1 : std::pow(10.0, std::floor(std::log10(std::abs(value))));
  const double unit = magnitude / 100;
  return withoutTail(std::round(value / unit + steps) * unit);
}

}  // namespace

NumberBox* wholeBox(const QString& accessibleName, double minimum, double maximum, double value, QWidget* parent) {
  auto* box = new NumberBox(accessibleName, parent);
  box->setWhole(true);
  box->setRange(minimum, maximum);
  box->setValue(value);
  return box;
}

void NumberBox::setWhole(bool whole) {
  whole_ = whole;
  if (whole) step_ = [](double value, int steps) { return value + steps; };
}

NumberBox::NumberBox(const QString& accessibleName, QWidget* parent) : QLineEdit(parent), step_(defaultStep) {
  setAccessibleName(accessibleName);
  setAlignment(Qt::AlignRight);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(this, &QLineEdit::editingFinished, this, &NumberBox::accept);
  setValue(0);
}

void NumberBox::setRange(double minimum, double maximum) {
  minimum_ = minimum;
  maximum_ = maximum;
}

void NumberBox::setValue(double value) {
  value_ = value;
  const QString text = numberText(value, 5);
  // Keeps a text that is being typed.
  if (!(hasFocus() && isModified())) setText(text);
}

void NumberBox::setWide(bool wide) {
  wide_ = wide;
  updateGeometry();
}

QSize NumberBox::sizeHint() const {
  QSize hint = QLineEdit::sizeHint();
  const QString longest = wide_ ? QStringLiteral("-0.0000e+000") : QStringLiteral("-00.0000");
  hint.setWidth(fontMetrics().horizontalAdvance(longest) + em(this, 0.6));
  return hint;
}

// A line edit takes the undo keys for itself; here it may undo only what is being typed.
bool NumberBox::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && !isModified()) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) return false;
  }
  return QLineEdit::event(event);
}

void NumberBox::keyPressEvent(QKeyEvent* event) {
  const int factor = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
  switch (event->key()) {
    case Qt::Key_Up: stepBy(factor); return;
    case Qt::Key_Down: stepBy(-factor); return;
    case Qt::Key_PageUp: stepBy(10); return;
    case Qt::Key_PageDown: stepBy(-10); return;
    case Qt::Key_Escape:
      if (isModified()) {
        setModified(false);
        setValue(value_);
        return;
      }
      break;
    default: break;
  }
  QLineEdit::keyPressEvent(event);
}

void NumberBox::wheelEvent(QWheelEvent* event) {
  if (!hasFocus()) {  // the wheel scrolls the panel and must not change numbers
    event->ignore();
    return;
  }
  wheelRest_ += event->angleDelta().y();
  const int steps = wheelRest_ / 120;
  wheelRest_ -= steps * 120;
  if (steps != 0) stepBy(steps);
  event->accept();
}

void NumberBox::focusInEvent(QFocusEvent* event) {
  QLineEdit::focusInEvent(event);
  if (event->reason() != Qt::MouseFocusReason) selectAll();
}

void NumberBox::stepBy(int steps) {
  setModified(false);
  showCorrection({});
  Q_EMIT stepTaken();
  change(std::clamp(step_(value_, steps), minimum_, maximum_));
}

void NumberBox::accept() {
  if (!isModified()) return;
  setModified(false);
  const QString typed = text().trimmed();
  QString digits = typed, unit;
  for (const QString& each : units_)
    if (typed.endsWith(each, Qt::CaseInsensitive) && each.size() > unit.size()) unit = each;
  digits.chop(unit.size());
  const std::optional<double> number = typedNumber(digits);
  if (!number) {
    setValue(value_);
    showCorrection(tr("“%1” is not a number; kept %2").arg(typed, numberText(value_)));
    return;
  }
  if (!unit.isEmpty()) Q_EMIT unitTyped(unit);
  double wanted = *number;
  QString reason;
  if (whole_ && wanted != std::round(wanted)) {
    reason = tr("%1 must be a whole number; set to %2").arg(accessibleName(), numberText(std::round(wanted)));
    wanted = std::round(wanted);
  }
  const double inside = std::clamp(wanted, minimum_, maximum_);
  if (inside != wanted)
    reason = tr("%1 must be between %2 and %3%4; set to %5")
                 .arg(accessibleName(), numberText(minimum_), numberText(maximum_),
                      unit_.isEmpty() ? QString() : QStringLiteral(" ") + unit_, numberText(inside));
  showCorrection(reason);
  change(inside);
}

void NumberBox::change(double value) {
  if (whole_) value = std::round(value);
  const bool different = value != value_;
  setValue(value);
  if (different) Q_EMIT valueEdited(value);
}

}  // namespace sscope

#include "moc_number_box.cpp"
