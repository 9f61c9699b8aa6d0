#pragma once
// Looks at the contenders besides the race, in the background, one at a time: how results agree, what they promise,
// which of them wins where.

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <functional>
#include <mutex>

#include "core/base/control.h"
#include "core/compare/race.h"
#include "ui/base/background_task.h"
#include "ui/base/toolbox.h"
#include "ui/controls/two_row_bar.h"
#include "ui/rooms/compare/quiet_relay.h"

namespace sscope {

class LookRunner : public QObject {
  Q_OBJECT
 public:
  // `window` does not paint while something is timed. `alone` is held by who computes, so that what was canceled winds
  // down before anything is timed.
  LookRunner(const Toolbox& toolbox, QWidget& window, std::mutex& alone, QObject* parent = nullptr);

  // Runs on the worker's thread; what it returns, on the window's, unless it was canceled or replaced. `tell` is for
  // the events of races that it holds.
  using Look = std::function<BackgroundTask::Finish(const compare::RaceTrack& track, const compare::EmitRace& tell,
                                                    const Control& control)>;
  // Replaces a look that is under way. `kind` tells the looks apart, `title` begins what the status line says.
  void run(const QString& kind, const QString& title, Look look);
  // Returns at once.
  void cancel();
  [[nodiscard]] bool busy() const { return task_.busy(); }
  // Of the look that is under way, or of the last one.
  [[nodiscard]] const QString& kind() const { return kind_; }
  [[nodiscard]] double progress() const { return fraction_; }  // 0..1, negative while unknown
  [[nodiscard]] QString progressText() const { return stage_.isEmpty() ? title_ : title_ + ": " + stage_; }

  // Why nothing may run now, as a sentence; empty: it may. Asked on the window's thread.
  std::function<QString()> refusal;
  // Whether others still stop, or give memory back: nothing runs before that has ended. Asked on the worker's thread;
  // empty: nobody does.
  std::function<bool()> othersAtWork;

 Q_SIGNALS:
  void started();
  void moved();    // progress
  void glanced();  // between two repetitions, for which the next one waits
  void quietChanged(bool quiet);
  void failed(const QString& message);
  void ended(const QString& outcome);  // one sentence for the status line; busy() is false

 private:
  void end(const QString& how);

  const Toolbox& toolbox_;
  std::mutex& alone_;
  QuietRelay quiet_;
  QString kind_, title_, stage_;
  double fraction_ = -1;
  QElapsedTimer clock_;
  BackgroundTask task_;  // last: its threads end before the rest goes
};

class LookBar : public TwoRowBar {
 public:
  using TwoRowBar::first, TwoRowBar::second, TwoRowBar::TwoRowBar;
};

}  // namespace sscope
