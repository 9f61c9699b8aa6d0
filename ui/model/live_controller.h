#pragma once
// Keeps the result in step with the session: submits every change to the live runner and brings its updates to the
// window's thread.

#include <QObject>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/live/live_runner.h"
#include "ui/model/session_model.h"
#include "ui/toolbox.h"

namespace sscope {

class LiveController : public QObject {
  Q_OBJECT
 public:
  LiveController(const Toolbox& toolbox, SessionModel& model, QObject* parent = nullptr);

  // More engines to run after the current one, for the charts.
  void setCompare(std::vector<std::string> engines);
  // Computes the same again, for one more sample in the charts.
  void runAgain();
  // Answers at once: canceled() is emitted before this returns; the worker winds down behind.
  void cancel();
  [[nodiscard]] bool busy() const { return busy_; }
  // While paused nothing runs, so that something else can be timed; what was asked for meanwhile runs afterwards.
  void setPaused(bool paused);

  // The whole result of what the session says now; null while it is out of date.
  [[nodiscard]] std::shared_ptr<const FilterResult> result() const { return result_; }
  // The engine that runs: the session's choice, or the preferred one where it leaves it open.
  [[nodiscard]] std::string engineId() const;

 Q_SIGNALS:
  void started();
  void previewReady(const sscope::LiveUpdate& update);
  void wholeReady(const sscope::LiveUpdate& update);
  void verified(const sscope::LiveUpdate& update);
  void compared(const sscope::LiveUpdate& update);
  void progressed(double fraction, const QString& stage);
  void failed(const QString& message);
  void canceled();
  void idle();                               // everything asked for is there
  void nothingToRun(const QString& reason);  // no data, or no enabled filter

 private:
  void scheduleSubmit();
  void submit();
  void submitForView();
  void deliver(LiveUpdate update);  // on the worker's thread
  void receive(const LiveUpdate& update);
  void stop();

  const Toolbox& toolbox_;
  SessionModel& model_;
  std::vector<std::string> compare_;
  std::shared_ptr<const FilterResult> result_;
  std::uint64_t request_ = 0;      // the newest submitted
  std::uint64_t firstWanted_ = 0;  // older updates are about data that are gone, or were canceled
  bool scheduled_ = false;
  bool busy_ = false;
  bool paused_ = false;
  bool owed_ = false;       // a run was stopped or asked for while paused
  bool wholeOwed_ = false;  // a held control asked for previews only
  double lastWholeSeconds_ = 0;
  std::atomic<std::int64_t> lastProgress_{0};  // steady clock, milliseconds
  std::unique_ptr<LiveRunner> runner_;         // last: its thread ends before the rest goes
};

}  // namespace sscope
