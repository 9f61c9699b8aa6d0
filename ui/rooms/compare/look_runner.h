#pragma once
// Runs the analyses of the contenders besides the race ("looks") in the background, one at a time: agreement of
// results, probes, the break-even map.

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
  // `window` does not paint while something is timed. Every computation of the room holds `alone`, so that a canceled
  // one ends before the next one is timed.
  LookRunner(const Toolbox& toolbox, QWidget& window, std::mutex& alone, QObject* parent = nullptr);

  // Runs on the worker's thread. The function that it returns runs on the window's thread, unless the look was canceled
  // or replaced. `tell` takes the events of its races.
  using Look = std::function<BackgroundTask::Finish(const compare::RaceTrack& track, const compare::EmitRace& tell,
                                                    const Control& control)>;
  // Replaces a running look. `kind` identifies looks, `title` begins the text of the status line.
  void run(const QString& kind, const QString& title, Look look);
  // Returns at once.
  void cancel();
  [[nodiscard]] bool busy() const { return task_.busy(); }
  // Of the running look, or of the last one.
  [[nodiscard]] const QString& kind() const { return kind_; }
  [[nodiscard]] double progress() const { return fraction_; }  // 0..1, negative while unknown
  [[nodiscard]] QString progressText() const { return stage_.isEmpty() ? title_ : title_ + ": " + stage_; }

  // Why nothing may run now, as a sentence; empty: something may. Called on the window's thread.
  std::function<QString()> refusal;
  // Whether other rooms still stop or give memory back; a look waits for them. Called on the worker's thread; may be
  // empty.
  std::function<bool()> othersAtWork;

 Q_SIGNALS:
  void started();
  void moved();   // progress
  void paused();  // between two repetitions; the next one waits for it
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
