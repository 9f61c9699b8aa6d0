#pragma once
// The state of the Solve panel: the runs of the newest solve, updated while they run.

#include <QObject>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/lattice/job/solve_runner.h"
#include "ui/base/event_bridge.h"
#include "ui/base/toolbox.h"

namespace sscope {

// One engine's part of a solve.
struct SolveLine {
  SolvePlace place;
  std::vector<SolvePoint> points;       // so far
  std::shared_ptr<const SolveRun> run;  // null until it is done
  bool shared = false;                  // the window computed something else meanwhile, so its times are disturbed
};

class SolveController : public QObject {
  Q_OBJECT
 public:
  explicit SolveController(const Toolbox& toolbox, QObject* parent = nullptr);

  // Replaces the running solve.
  void solve(SolveJob job, std::vector<SolvePlace> places);
  // `busy`: whether the window is computing something else; called during solves.
  void setOthers(std::function<bool()> busy) { othersBusy_ = std::move(busy); }
  // Something else may have begun.
  void noteOthers();
  // Emits canceled() before it returns. Keeps the results so far.
  void cancel();
  // Drops all results.
  void clear();
  [[nodiscard]] bool busy() const { return busy_; }
  // Whether the worker is running, even if it is only winding down.
  [[nodiscard]] bool working() const { return runner_->busy(); }
  // Of the newest solve, in the order of its engines.
  [[nodiscard]] const std::vector<SolveLine>& lines() const { return lines_; }
  [[nodiscard]] const SolveJob& job() const { return job_; }
  // The index of the running engine, and its current step.
  [[nodiscard]] std::size_t place() const { return place_; }
  [[nodiscard]] const std::string& step() const { return step_; }

 Q_SIGNALS:
  void started();
  void stepped();   // place() or step() changed
  void advanced();  // the line of place() has more points
  void solved();    // the line of place() has its run; again once its kernels are timed
  void finished();  // all are done
  void canceled();
  void failed(const QString& message);
  void cleared();

 private:
  void receive(const SolveNews& news);

  SolveJob job_;
  std::vector<SolveLine> lines_;
  std::size_t place_ = 0;
  std::string step_;
  std::function<bool()> othersBusy_;
  std::uint64_t request_ = 0;  // whose updates count; 0: none
  bool busy_ = false;
  EventBridge<SolveNews> bridge_;
  std::unique_ptr<SolveRunner> runner_;  // last member, so that its thread ends before the others are destroyed
};

}  // namespace sscope
