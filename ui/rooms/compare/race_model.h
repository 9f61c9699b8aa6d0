#pragma once
// Runs races in the background and holds the state of their lanes.

#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "core/compare/comparison.h"
#include "core/compare/race.h"
#include "ui/base/background_task.h"
#include "ui/base/toolbox.h"
#include "ui/rooms/compare/lane_state.h"
#include "ui/rooms/compare/quiet_relay.h"
#include "ui/rooms/compare/race_job.h"

namespace sscope {

class RaceModel : public QObject {
  Q_OBJECT
 public:
  // `window` does not paint during quiet repetitions.
  RaceModel(const Toolbox& toolbox, QWidget& window, QObject* parent = nullptr);

  // Replaces a race that is running.
  void run(const RaceJob& job, const std::vector<BenchRow>& contenders);
  // Returns at once and keeps the lanes as they are.
  void cancel();
  [[nodiscard]] bool busy() const { return running_; }  // from before started() until before ended()
  // Whether the worker is running, even if it is only winding down.
  [[nodiscard]] bool working() const { return task_.working(); }
  [[nodiscard]] bool quiet() const { return quiet_.quiet(); }

  // Those of the last race, in the order of its contenders.
  [[nodiscard]] const std::vector<LaneState>& lanes() const { return lanes_; }
  // The recipe of the lanes; it has a fingerprint once the race has ended.
  [[nodiscard]] const compare::CaseRecipe& recipe() const { return recipe_; }
  // The counted work of the job; zeros until it is prepared.
  [[nodiscard]] const Work& work() const { return work_; }
  // The window of values for all pictures.
  [[nodiscard]] const LaneWindow& window() const { return window_; }
  // The last race if it was completed; null before.
  [[nodiscard]] std::shared_ptr<const compare::Comparison> comparison() const { return comparison_; }

  [[nodiscard]] double progress() const { return fraction_; }  // 0..1, negative while unknown
  [[nodiscard]] QString progressText() const { return stage_; }

  // Every computation of the room holds it, so that a canceled one ends before the next one is timed.
  [[nodiscard]] std::mutex& alone() { return alone_; }

  // Whether other rooms still stop or give memory back, as they do after started(); a race waits for them. Called on
  // the worker's thread; may be empty.
  std::function<bool()> othersAtWork;
  // How lanes are timed; the threads are the job's.
  compare::RaceOptions timing;

 Q_SIGNALS:
  void started();
  void moved();  // lanes or progress; at most 30 times a second, and rarely during quiet repetitions
  void quietChanged(bool quiet);
  void failed(const QString& message);
  void ended(const QString& outcome);  // one sentence for the status line

 private:
  struct Mail;
  void collect();
  void chooseWindow();
  void end(const QString& how);
  [[nodiscard]] BackgroundTask::Finish race(const RaceJob& job, const std::vector<BenchRow>& contenders,
                                            const compare::RaceOptions& how, const std::shared_ptr<Mail>& mail,
                                            const compare::EmitRace& emit, const Control& control);

  const Toolbox& toolbox_;
  QuietRelay quiet_;
  std::vector<LaneState> lanes_;
  LaneScene scene_;
  compare::CaseRecipe recipe_;
  Work work_;
  LaneWindow window_{0, 1};
  std::size_t seen_ = 0;  // parts of the picture from which it was chosen
  std::shared_ptr<const compare::Comparison> comparison_;
  std::shared_ptr<Mail> mail_;  // of the newest race
  bool running_ = false;
  double fraction_ = -1;
  QString stage_;
  QElapsedTimer clock_;
  QTimer pull_;  // collects the events of the race; stopped during quiet repetitions
  std::mutex alone_;
  BackgroundTask task_;  // last: its threads end before the rest goes
};

}  // namespace sscope
