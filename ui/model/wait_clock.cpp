#include "ui/model/wait_clock.h"

#include <QCoreApplication>
#include <algorithm>
#include <vector>

namespace sscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostWaits = 15;
// A change that comes longer after an event of mouse or keyboard is not of that event.
constexpr std::chrono::milliseconds kOfEvent{250};
const auto kFrame = static_cast<QEvent::Type>(QEvent::registerEventType());

double secondsBetween(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

bool isInput(QEvent::Type type) {
  return type == QEvent::MouseMove || type == QEvent::MouseButtonPress || type == QEvent::MouseButtonRelease ||
         type == QEvent::KeyPress || type == QEvent::Wheel;
}

}  // namespace

WaitClock::WaitClock(LiveController& live, QObject* parent) : QObject(parent), live_(live) {
  QCoreApplication::instance()->installEventFilter(this);
  connect(&live, &LiveController::settingChanged, this, &WaitClock::noteSetting);
  connect(&live, &LiveController::started, this, &WaitClock::noteStarted);
  connect(&live, &LiveController::previewReady, this, &WaitClock::notePreview);
}

// The window's event comes first, then those of widgets that it is handed to: the first counts.
bool WaitClock::eventFilter(QObject* watched, QEvent* event) {
  if (isInput(event->type()) && (watched->isWindowType() || !event->spontaneous())) input_ = Clock::now();
  return false;
}

void WaitClock::noteSetting() {
  if (changed_ || !live_.held()) return;
  const Time now = Clock::now();
  changed_ = input_ && now - *input_ < kOfEvent ? *input_ : now;
}

void WaitClock::noteStarted() {
  if (changed_) events_[live_.request()] = *changed_;
  changed_.reset();
}

void WaitClock::notePreview(const LivePreview& preview) {
  if (!preview.last) return;
  const auto found = events_.find(live_.newsOf());
  if (found == events_.end()) return;
  const Phases& phases = preview.report.phases;
  shown_ = {.event = found->second,
            .arrived = Clock::now(),
            .wait = {.engine = preview.report.engine,
                     .slices = preview.count,
                     .kernel = phases.kernel,
                     .copies = phases.upload + phases.download}};
  // Those before it were superseded.
  events_.erase(events_.begin(), std::next(found));
}

void WaitClock::notePainted() {
  if (!shown_ || framePosted_) return;
  framePosted_ = true;
  // Handled as soon as the event that paints has ended: the frame is complete then and was handed on.
  QCoreApplication::postEvent(this, new QEvent(kFrame), Qt::HighEventPriority);
}

bool WaitClock::event(QEvent* event) {
  if (event->type() != kFrame) return QObject::event(event);
  noteFrame();
  return true;
}

void WaitClock::noteFrame() {
  framePosted_ = false;
  if (!shown_) return;
  const Time now = Clock::now();
  Wait wait = shown_->wait;
  wait.pictures = secondsBetween(shown_->arrived, now);
  wait.total = secondsBetween(shown_->event, now);
  shown_.reset();
  if (!waits_.empty() && waits_.back().engine != wait.engine) waits_.clear();
  waits_.push_back(wait);
  if (waits_.size() > kMostWaits) waits_.pop_front();
  Q_EMIT waited(wait);
}

std::optional<Wait> WaitClock::median() const {
  if (waits_.empty()) return std::nullopt;
  std::vector<Wait> sorted(waits_.begin(), waits_.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end(),
                   [](const Wait& a, const Wait& b) { return a.total < b.total; });
  Wait median = *middle;
  median.steps = static_cast<int>(waits_.size());
  return median;
}

}  // namespace sscope

#include "moc_wait_clock.cpp"
