#include "ui/base/background_task.h"

#include <QMetaObject>
#include <atomic>
#include <chrono>

#include "core/base/error.h"
#include "core/base/error_words.h"

namespace sscope {

namespace {

// Lets a progress callback through at most every 30 ms, so that a chatty worker does not flood the event loop.
class Throttle {
 public:
  bool pass(double fraction) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    const auto last = last_.load();
    if (fraction < 1 && now - last < kInterval) return false;
    last_.store(now);
    return true;
  }

 private:
  static constexpr std::chrono::steady_clock::rep kInterval =
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::milliseconds(30)).count();
  std::atomic<std::chrono::steady_clock::rep> last_{0};
};

}  // namespace

BackgroundTask::~BackgroundTask() {
  for (Worker& worker : workers_) worker.thread.request_stop();
  workers_.clear();  // joins
}

void BackgroundTask::start(Work work) {
  for (Worker& worker : workers_) worker.thread.request_stop();
  const std::uint64_t number = ++numbers_;
  current_ = number;
  workers_.push_back({number, {}});
  workers_.back().thread = std::jthread([this, number, work = std::move(work)](const std::stop_token& stop) {
    Control control;
    control.stop = stop;
    control.progress = [this, number, throttle = std::make_shared<Throttle>()](double fraction,
                                                                               std::string_view stage) {
      if (!throttle->pass(fraction)) return;
      const QString text = QString::fromUtf8(stage.data(), static_cast<qsizetype>(stage.size()));
      QMetaObject::invokeMethod(
          this, [this, number, fraction, text] { reportFrom(number, fraction, text); }, Qt::QueuedConnection);
    };
    Finish finish;
    QString message;
    try {
      finish = work(control);
    } catch (const Canceled&) {
      message = tr("canceled");
    } catch (const std::exception& error) {
      message = QString::fromStdString(wordsOf(error));
    }
    QMetaObject::invokeMethod(
        this, [this, number, finish, message] { end(number, finish, message); }, Qt::QueuedConnection);
  });
}

void BackgroundTask::cancel() {
  if (current_ == 0) return;
  current_ = 0;
  for (Worker& worker : workers_) worker.thread.request_stop();
  Q_EMIT canceled();
}

void BackgroundTask::reportFrom(std::uint64_t number, double fraction, const QString& stage) {
  if (number == current_) Q_EMIT progressed(fraction, stage);
}

void BackgroundTask::end(std::uint64_t number, const Finish& finish, const QString& message) {
  // The thread's last act was to post this call: joining does not wait.
  workers_.remove_if([&](const Worker& worker) { return worker.number == number; });
  if (number != current_) return;
  current_ = 0;
  if (!message.isEmpty()) {
    Q_EMIT failed(message);
    return;
  }
  if (finish) finish();
  Q_EMIT finished();
}

}  // namespace sscope
