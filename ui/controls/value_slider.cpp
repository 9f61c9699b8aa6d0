#include "ui/controls/value_slider.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QWheelEvent>
#include <algorithm>
#include <atomic>
#include <cmath>

namespace sscope {

namespace {

constexpr int kPositions = 1000;
constexpr double kFineStep = 0.01;  // of the slider's range

// Numbers from a slider are kept short: three significant digits of the range's resolution.
double tidy(double value) {
  if (value == 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2);
  // Dividing by a whole number gives the double nearest to the decimal text; multiplying by 0.01 does not.
  return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

}  // namespace

ValueSlider::ValueSlider(const QString& accessibleName, QWidget* parent) : QSlider(Qt::Horizontal, parent) {
  setAccessibleName(accessibleName);
  setRange(0, kPositions);
  setFocusPolicy(Qt::StrongFocus);
  connect(this, &QSlider::valueChanged, this, [this](int position) {
    value_ = valueAt(position);
    Q_EMIT realValueEdited(value_);
  });
}

void ValueSlider::setScale(double minimum, double maximum, bool logarithmic, bool whole) {
  minimum_ = minimum;
  maximum_ = std::max(maximum, std::nextafter(minimum, maximum + 1));
  logarithmic_ = logarithmic && minimum > 0;
  whole_ = whole;
  const QSignalBlocker block(this);
  setRange(0, whole ? static_cast<int>(maximum_ - minimum_) : kPositions);
}

void ValueSlider::setRealValue(double value) {
  value_ = value;
  const QSignalBlocker block(this);
  setValue(positionOf(value));
}

double ValueSlider::realValue() const { return value_; }

double ValueSlider::stepped(double value, int steps) const {
  if (whole_) return std::clamp(std::round(value) + steps, minimum_, maximum_);
  double next = value;
  if (logarithmic_) {
    next = value * std::pow(maximum_ / minimum_, kFineStep * steps);
  } else {
    next = value + (maximum_ - minimum_) * kFineStep * steps;
  }
  return std::clamp(tidy(next), minimum_, maximum_);
}

double ValueSlider::valueAt(int position) const {
  if (whole_) return minimum_ + position;
  const double share = static_cast<double>(position) / kPositions;
  if (position == 0) return minimum_;
  if (position == kPositions) return maximum_;
  return std::clamp(
      tidy(logarithmic_ ? minimum_ * std::pow(maximum_ / minimum_, share) : minimum_ + share * (maximum_ - minimum_)),
      minimum_, maximum_);
}

int ValueSlider::positionOf(double value) const {
  if (whole_) return static_cast<int>(std::clamp(std::round(value), minimum_, maximum_) - minimum_);
  const double inside = std::clamp(value, minimum_, maximum_);
  const double share = logarithmic_ ? std::log(inside / minimum_) / std::log(maximum_ / minimum_)
                                    : (inside - minimum_) / (maximum_ - minimum_);
  return static_cast<int>(std::lround(share * kPositions));
}

void ValueSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) {
    QStyleOptionSlider option;
    initStyleOption(&option);
    const QRect handle = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
    if (!handle.contains(event->position().toPoint())) {
      const int span = width() - handle.width();
      const int at = static_cast<int>(event->position().x()) - handle.width() / 2;
      setSliderDown(true);
      setValue(QStyle::sliderValueFromPosition(minimum(), maximum(), at, span, option.upsideDown));
    }
  }
  QSlider::mousePressEvent(event);
}

void ValueSlider::wheelEvent(QWheelEvent* event) {
  if (!hasFocus()) {  // the wheel scrolls the panel and must not move sliders
    event->ignore();
    return;
  }
  wheelRest_ += event->angleDelta().y();
  const int steps = wheelRest_ / 120;
  wheelRest_ -= steps * 120;
  stepBy(steps);
  event->accept();
}

void ValueSlider::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up: stepBy(1); return;
    case Qt::Key_Left:
    case Qt::Key_Down: stepBy(-1); return;
    case Qt::Key_PageUp: stepBy(10); return;
    case Qt::Key_PageDown: stepBy(-10); return;
    default: QSlider::keyPressEvent(event);
  }
}

void ValueSlider::stepBy(int steps) {
  const double next = stepped(value_, steps);
  if (next == value_) return;
  setRealValue(next);
  Q_EMIT stepTaken();
  Q_EMIT realValueEdited(next);
}

namespace {
constexpr int kGestureRestMilliseconds = 700;
}

Gesture::Gesture(QWidget* widget) : QObject(widget) {
  rest_.setSingleShot(true);
  rest_.setInterval(kGestureRestMilliseconds);
  const auto* slider = qobject_cast<QSlider*>(widget);
  connect(&rest_, &QTimer::timeout, this, [this, slider] {
    if (!slider || !slider->isSliderDown()) begin();
  });
  if (slider) {
    connect(slider, &QSlider::sliderPressed, this, &Gesture::begin);
    connect(slider, &QSlider::sliderReleased, this, &Gesture::begin);
  }
  begin();
}

void Gesture::begin() {
  static std::atomic<std::uint64_t> counter{0};
  number_ = ++counter;
}

QString Gesture::now() {
  rest_.start();
  return QStringLiteral("gesture-%1").arg(number_);
}

}  // namespace sscope

#include "moc_value_slider.cpp"
