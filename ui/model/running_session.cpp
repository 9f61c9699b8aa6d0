#include "ui/model/running_session.h"

#include <utility>

#include "core/base/error.h"

namespace sscope {

namespace {

constexpr int kIntervalMilliseconds = 2000;

// A sample with nothing done to it is had again at once.
bool worthKeeping(const KeptSession& kept) {
  return kept.changed || !kept.file.empty() || !kept.session.data.path.empty() || !documentsOf(kept.session).empty();
}

}  // namespace

RunningSession::RunningSession(const std::filesystem::path& folder, std::function<KeptSession()> now, QObject* parent)
    : QObject(parent), now_(std::move(now)), keeper_(std::make_shared<SessionKeeper>(folder)) {
  timer_.setInterval(kIntervalMilliseconds);
  connect(&timer_, &QTimer::timeout, this, &RunningSession::look);
  timer_.start();
}

void RunningSession::look() {
  if (writing_.busy()) return;  // a slow disk: the next look will see what changed meanwhile
  KeptSession now = now_();
  if (now == kept_) return;
  writing_.start([this, now = std::move(now), keeper = keeper_](const Control& /*control*/) -> BackgroundTask::Finish {
    worthKeeping(now) ? keeper->keep(now) : keeper->drop();
    return [this, now] { kept_ = now; };
  });
}

void RunningSession::keepNow() {
  KeptSession now = now_();
  try {
    keeper_->keep(now);
    kept_ = std::move(now);
  } catch (const Error&) {
    // The next look tries again.
  }
}

void RunningSession::end() {
  timer_.stop();
  keeper_->end();
}

}  // namespace sscope

#include "moc_running_session.cpp"
