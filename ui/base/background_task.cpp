#include "ui/base/background_task.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/words.h"
#include "ui/base/text.h"

namespace sscope {

BackgroundTask::BackgroundTask(QObject* parent)
    : QObject(parent), bridge_([this](const TaskNews& news) { receive(news); }) {}

BackgroundTask::~BackgroundTask() {
  for (Worker& worker : workers_) worker.thread.request_stop();
  workers_.clear();  // joins
}

void BackgroundTask::start(Work work) {
  queued_.clear();
  begin(std::move(work));
}

void BackgroundTask::queue(Work work) {
  if (busy()) {
    queued_.push_back(std::move(work));
  } else {
    begin(std::move(work));
  }
}

void BackgroundTask::begin(Work work) {
  for (Worker& worker : workers_) worker.thread.request_stop();
  const std::uint64_t number = ++numbers_;
  current_ = number;
  workers_.push_back({number, {}});
  workers_.back().thread =
      std::jthread([report = bridge_.entrance(), number, work = std::move(work)](const std::stop_token& stop) {
        Control control;
        control.stop = stop;
        control.progress = [&](double fraction, std::string_view stage) {
          report({number, ProgressNews{fraction, std::string(stage)}});
        };
        Ended ended;
        try {
          ended.finish = work(control);
        } catch (const Canceled&) {
          ended.canceled = true;
        } catch (const std::exception& error) {
          ended.message = QString::fromStdString(wordsOf(error));
        }
        report({number, std::move(ended)});
      });
}

void BackgroundTask::cancel() {
  if (!busy()) return;
  current_ = 0;
  queued_.clear();
  for (Worker& worker : workers_) worker.thread.request_stop();
  Q_EMIT canceled();
}

void BackgroundTask::stop() {
  for (Worker& worker : workers_) worker.thread.request_stop();
}

void BackgroundTask::receive(const TaskNews& news) {
  if (const auto* ended = news.as<Ended>()) end(news.request, *ended);
  const auto* progress = news.as<ProgressNews>();
  if (progress != nullptr && news.request == current_) Q_EMIT progressed(progress->fraction, toQt(progress->message));
}

void BackgroundTask::end(std::uint64_t number, const Ended& ended) {
  // This message is the thread's last action, so joining it does not wait.
  workers_.remove_if([&](const Worker& worker) { return worker.number == number; });
  if (number != current_) return;
  current_ = 0;
  emitOutcome(ended);
  if (current_ != 0 || queued_.empty()) return;
  Work next = std::move(queued_.front());
  queued_.pop_front();
  begin(std::move(next));
}

void BackgroundTask::emitOutcome(const Ended& ended) {
  if (ended.canceled) {
    Q_EMIT canceled();
  } else if (!ended.message.isEmpty()) {
    Q_EMIT failed(ended.message);
  } else {
    if (ended.finish) ended.finish();
    Q_EMIT finished();
  }
}

}  // namespace sscope

#include "moc_background_task.cpp"
