#pragma once
// Background work for the window: start() replaces the work before it, queue() waits for it. cancel() returns
// immediately.

#include <QObject>
#include <QString>
#include <deque>
#include <functional>
#include <list>
#include <thread>

#include "core/base/control.h"
#include "core/live/news.h"
#include "ui/base/event_bridge.h"

namespace sscope {

// start() runs `work` on its own thread. The function it returns runs on the window's thread, unless newer work was
// started or cancel() was called. Superseded work is asked to stop and winds down in the background.
class BackgroundTask : public QObject {
  Q_OBJECT
 public:
  using Finish = std::function<void()>;
  using Work = std::function<Finish(const Control&)>;

  explicit BackgroundTask(QObject* parent = nullptr);
  ~BackgroundTask() override;

  void start(Work work);
  // Starts when all work that was started or queued before has ended.
  void queue(Work work);
  // Emits canceled() before it returns, whatever the worker is doing.
  void cancel();
  // Asks the worker to end. The outcome is emitted when it has ended: canceled(), or finished() if it was too late.
  void stop();
  [[nodiscard]] bool busy() const { return current_ != 0 || !queued_.empty(); }
  // Whether a worker is running, even if it is only winding down.
  [[nodiscard]] bool working() const { return !workers_.empty(); }

 Q_SIGNALS:
  void progressed(double fraction, const QString& stage);
  void finished();                      // after the Finish ran
  void failed(const QString& message);  // one sentence with the remedy
  void canceled();

 private:
  struct Worker {
    std::uint64_t number = 0;
    std::jthread thread;
  };
  struct Ended {
    Finish finish;
    QString message;  // the error; empty: none
    bool canceled = false;
  };
  using TaskNews = News<Ended>;
  void begin(Work work);
  void receive(const TaskNews& news);
  void end(std::uint64_t number, const Ended& ended);
  void emitOutcome(const Ended& ended);

  EventBridge<TaskNews> bridge_;
  std::list<Worker> workers_;
  std::deque<Work> queued_;
  std::uint64_t numbers_ = 0;
  std::uint64_t current_ = 0;  // the worker whose outcome is emitted; 0 for none
};

}  // namespace sscope
