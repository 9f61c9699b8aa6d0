#pragma once
// Work beside the window: one worker at a time counts, the newest wins, cancel answers at once.

#include <QObject>
#include <QString>
#include <functional>
#include <list>
#include <memory>
#include <stop_token>
#include <thread>

#include "core/base/control.h"
#include "core/live/news.h"
#include "ui/base/event_bridge.h"

namespace sscope {

// start() runs `work` on a thread of its own. What it returns is run on the window's thread, unless something newer
// was started or cancel() was called meanwhile. Superseded work is told to stop and left to wind down behind.
class BackgroundTask : public QObject {
  Q_OBJECT
 public:
  using Finish = std::function<void()>;
  using Work = std::function<Finish(const Control&)>;

  explicit BackgroundTask(QObject* parent = nullptr);
  ~BackgroundTask() override;

  void start(Work work);
  // canceled() is emitted before this returns, whatever the worker is doing.
  void cancel();
  [[nodiscard]] bool busy() const { return current_ != 0; }
  // A worker is at something, be it only to end what was canceled.
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
    QString message;  // why it failed; empty: it did not
  };
  using TaskNews = News<Ended>;
  void receive(const TaskNews& news);
  void end(std::uint64_t number, const Ended& ended);

  EventBridge<TaskNews> bridge_;
  std::list<Worker> workers_;
  std::uint64_t numbers_ = 0;
  std::uint64_t current_ = 0;  // the worker that counts; 0 for none
};

}  // namespace sscope
