#include "ui/rooms/compare/quiet_relay.h"

#include <QCoreApplication>
#include <QEvent>
#include <QMetaObject>
#include <QWidget>
#include <algorithm>
#include <chrono>
#include <utility>

namespace sscope {

namespace {

using Clock = std::chrono::steady_clock;

// How often the window paints during quiet repetitions, between two of them.
constexpr std::chrono::milliseconds kPauseInterval{400};

// How long to wait after the last painting, and after the last input, which others may follow.
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

QuietRelay::QuietRelay(QWidget& window, QObject* parent) : QObject(parent), watch_(window) {}

QuietRelay::~QuietRelay() { watch_.end(); }

void QuietRelay::begin() {
  end();
  gate_ = std::make_shared<QuietGate>();
}

void QuietRelay::end() {
  ++run_;
  if (!watch_.active()) return;
  watch_.end();
  Q_EMIT quietChanged(false);
}

// The window does nothing while a sample is taken. It is called between two samples, and the next one waits for it.
std::function<void(const compare::RaceEvent&)> QuietRelay::listener() {
  const auto call = [this, run = run_](void (QuietRelay::*what)(std::uint64_t)) {
    QMetaObject::invokeMethod(
        this, [this, what, run] { (this->*what)(run); }, Qt::QueuedConnection);
  };
  return [call, gate = gate_, pausedAt = std::make_shared<Clock::time_point>()](const compare::RaceEvent& event) {
    const auto* phase = std::get_if<compare::QuietPhase>(&event);
    const bool begins = phase != nullptr && phase->quiet, ends = phase != nullptr && !phase->quiet;
    const bool due = std::holds_alternative<compare::Repetition>(event) && Clock::now() - *pausedAt > kPauseInterval;
    if (begins || due) {
      gate->setHeld(true);
      *pausedAt = Clock::now();
      call(begins ? &QuietRelay::beginQuiet : &QuietRelay::pause);
    }
    if (ends) call(&QuietRelay::endQuiet);
  };
}

void QuietRelay::beginQuiet(std::uint64_t run) {
  if (run != run_) return;
  Q_EMIT paused();
  watch_.begin(gate_);
  Q_EMIT quietChanged(true);
}

void QuietRelay::pause(std::uint64_t run) {
  if (run != run_ || !watch_.active()) return;
  Q_EMIT paused();
  watch_.pause();
}

void QuietRelay::endQuiet(std::uint64_t run) {
  if (run != run_ || !watch_.active()) return;
  watch_.end();
  Q_EMIT quietChanged(false);
}

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

void QuietWatch::pause() {
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

#include "moc_quiet_relay.cpp"
