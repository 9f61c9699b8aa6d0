#pragma once
// Runs ladders in the background and keeps their results.

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/ladder/ladder.h"
#include "core/measure/bench.h"
#include "core/measure/tune.h"
#include "core/report/figure.h"
#include "ui/base/background_task.h"
#include "ui/base/toolbox.h"

namespace sscope {

// The top rung of every ladder.
inline constexpr const char* kTopRung = "tuned";

enum class LadderSize { Small, Timed, Paper };

// What to run.
struct LadderChoice {
  std::string workload;
  std::vector<std::string> engines;
  std::set<std::string> rungs;  // names of variants; memory-only twins come with them
  LadderSize size = LadderSize::Small;
  bool everyPoint = false;
  bool tuneFirst = true;  // tune rows that were never tuned on their device
};

class LadderModel : public QObject {
  Q_OBJECT
 public:
  explicit LadderModel(const Toolbox& toolbox, QObject* parent = nullptr);

  // Results for the same data size are kept until their row is measured again; those of another size are dropped at the
  // first new one.
  void run(const LadderChoice& choice);
  // Returns at once and keeps the measurements so far.
  void cancel() { task_.cancel(); }
  [[nodiscard]] bool busy() const { return running_; }  // from before started() until before ended()
  // Whether the worker is running, even if it is only winding down.
  [[nodiscard]] bool working() const { return task_.working(); }

  // One variant for each rung of this workload, across all kinds of engines, from bottom to top.
  [[nodiscard]] std::vector<const Variant*> rungs(const std::string& workload) const;

  using Results = std::shared_ptr<const std::vector<Measurement>>;
  // The results of this workload in order of measurement; never null.
  [[nodiscard]] Results results(const std::string& workload) const;
  [[nodiscard]] std::vector<Figure> figures(const std::string& workload) const;
  // Why this size was chosen: "the paper's size"; empty before the first run.
  [[nodiscard]] QString sizeReason() const { return sizeReason_; }
  // Whether other rooms are still stopping or freeing memory, which they do after started(); timing waits for that.
  // Called on the worker's thread; may be empty.
  std::function<bool()> othersAtWork;
  BenchOptions timing;
  TuneOptions tuning;
  // The tuning results of the last run, one line each: "tuned conv2d on opencl:0: walk=24, 7 % faster than ...;
  // remembered".
  [[nodiscard]] const QStringList& searches() const { return searches_; }

  [[nodiscard]] double progress() const { return fraction_; }  // 0..1, negative while unknown
  // "Bank of dense kernels: row 3 of 12 · filters=8: timing · 0:42 left".
  [[nodiscard]] QString progressText() const;

 Q_SIGNALS:
  void started();
  void progressed();
  void changed(const QString& workload);  // the results changed
  void failed(const QString& message);
  void ended(const QString& outcome);  // one sentence for the status line

 private:
  using Shapes = std::set<std::array<std::int64_t, 3>>;
  void begin(std::uint64_t number, std::size_t rows, const Shapes& shapes, const QString& sizeReason);
  void add(std::uint64_t number, const std::vector<Measurement>& rows);
  void end(const QString& how);

  const Toolbox& toolbox_;
  std::map<std::string, Results> results_;
  LadderChoice choice_;
  Shapes shapes_;          // of the running sweep's data
  std::uint64_t run_ = 0;  // results of earlier runs are ignored
  bool running_ = false;
  std::size_t rows_ = 0, done_ = 0;
  double fraction_ = -1;
  QString stage_, sizeReason_;
  QStringList searches_;
  std::size_t tuned_ = 0;  // those that were successful
  QElapsedTimer clock_;
  std::mutex computing_;  // lets a canceled run wind down before the next one is timed
  BackgroundTask task_;
};

}  // namespace sscope
