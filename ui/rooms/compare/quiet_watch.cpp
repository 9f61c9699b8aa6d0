#include "ui/rooms/compare/quiet_watch.h"

#include <QCoreApplication>
#include <QEvent>
#include <QWidget>
#include <algorithm>
#include <utility>

namespace sscope {

namespace {

// After the last painting, and after the last act of somebody's hand, of which others may follow.
constexpr int kPainted = 20, kTouched = 120;  // milliseconds

bool isTouch(QEvent::Type type) {
  switch (type) {
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::Wheel:
    case QEvent::KeyPress:
    case QEvent::KeyRelease:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::DragMove: return true;
    default: return false;
  }
}

}  // namespace

QuietWatch::QuietWatch(QWidget& window, QObject* parent) : QObject(parent), window_(window) {
  still_.setSingleShot(true);
  still_.setTimerType(Qt::PreciseTimer);
  connect(&still_, &QTimer::timeout, this, &QuietWatch::settle);
}

void QuietWatch::begin(std::shared_ptr<QuietGate> gate) {
  end();
  gate_ = std::move(gate);
  QCoreApplication::instance()->installEventFilter(this);
  hold(kPainted);
}

void QuietWatch::breathe() {
  if (gate_) hold(kPainted);
}

void QuietWatch::end() {
  if (!gate_) return;
  QCoreApplication::instance()->removeEventFilter(this);
  still_.stop();
  std::exchange(gate_, nullptr)->setHeld(false);
  window_.setUpdatesEnabled(true);
}

void QuietWatch::hold(int milliseconds) {
  gate_->setHeld(true);
  if (!window_.updatesEnabled()) window_.setUpdatesEnabled(true);
  if (!still_.isActive() || still_.remainingTime() < milliseconds) still_.start(milliseconds);
}

void QuietWatch::settle() {
  window_.setUpdatesEnabled(false);
  gate_->setHeld(false);
}

bool QuietWatch::eventFilter(QObject* watched, QEvent* event) {
  if (gate_) {
    if (isTouch(event->type())) {
      hold(kTouched);
    } else if (event->type() == QEvent::Paint || event->type() == QEvent::UpdateRequest) {
      hold(kPainted);
    }
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace sscope

#include "moc_quiet_watch.cpp"
