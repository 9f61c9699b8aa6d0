#include "ui/controls/gesture.h"

#include <QSlider>
#include <atomic>

namespace sscope {

namespace {
constexpr int kGestureRestMilliseconds = 700;
}

Gesture::Gesture(QSlider* slider) : QObject(slider) {
  rest_.setSingleShot(true);
  rest_.setInterval(kGestureRestMilliseconds);
  connect(&rest_, &QTimer::timeout, this, [this, slider] {
    if (!slider->isSliderDown()) begin();
  });
  connect(slider, &QSlider::sliderPressed, this, &Gesture::begin);
  connect(slider, &QSlider::sliderReleased, this, &Gesture::begin);
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

#include "moc_gesture.cpp"
