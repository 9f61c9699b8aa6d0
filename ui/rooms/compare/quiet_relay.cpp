#include "ui/rooms/compare/quiet_relay.h"

#include <QMetaObject>
#include <chrono>

namespace sscope {

namespace {

using Clock = std::chrono::steady_clock;

// During quiet repetitions the window is told of them so often, between two of them.
constexpr std::chrono::milliseconds kBreath{400};

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

// The window sleeps while a sample is taken: it is called between two of them, and the next one waits for it.
std::function<void(const compare::RaceEvent&)> QuietRelay::listener() {
  const auto call = [this, run = run_](void (QuietRelay::*what)(std::uint64_t)) {
    QMetaObject::invokeMethod(
        this, [this, what, run] { (this->*what)(run); }, Qt::QueuedConnection);
  };
  return [call, gate = gate_, breathed = std::make_shared<Clock::time_point>()](const compare::RaceEvent& event) {
    const auto* phase = std::get_if<compare::QuietPhase>(&event);
    const bool begins = phase != nullptr && phase->quiet, ends = phase != nullptr && !phase->quiet;
    const bool due = std::holds_alternative<compare::Repetition>(event) && Clock::now() - *breathed > kBreath;
    if (begins || due) {
      gate->setHeld(true);
      *breathed = Clock::now();
      call(begins ? &QuietRelay::beginQuiet : &QuietRelay::breathe);
    }
    if (ends) call(&QuietRelay::endQuiet);
  };
}

void QuietRelay::beginQuiet(std::uint64_t run) {
  if (run != run_) return;
  Q_EMIT glance();
  watch_.begin(gate_);
  Q_EMIT quietChanged(true);
}

void QuietRelay::breathe(std::uint64_t run) {
  if (run != run_ || !watch_.active()) return;
  Q_EMIT glance();
  watch_.breathe();
}

void QuietRelay::endQuiet(std::uint64_t run) {
  if (run != run_ || !watch_.active()) return;
  watch_.end();
  Q_EMIT quietChanged(false);
}

}  // namespace sscope

#include "moc_quiet_relay.cpp"
