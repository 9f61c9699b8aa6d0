#pragma once
// The state of the Lattice room: the configuration, the chosen field and its flow, and solves.

#include <QObject>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/lattice/job/lattice_runner.h"
#include "core/lattice/job/solve_runner.h"
#include "ui/base/background_task.h"
#include "ui/base/event_bridge.h"
#include "ui/base/toolbox.h"
#include "ui/charts/color_scale.h"

namespace sscope {

// A shown field, as data for the views.
struct ShownField {
  std::string key;                       // "charge"; as LatticeController::choice()
  QString title;                         // "Topological charge density"
  QString stem;                          // for file names: "charge-t1.00"
  std::shared_ptr<const Volume> volume;  // components are time slices; of a Polyakov loop its parts (kLoopParts)
  bool loop = false;                     // a Polyakov loop
  bool decades = false;                  // its values are not negative and span decades
  int flowSteps = 0;
  double mean = 0, sum = 0;  // see LatticeField
};

// Values at the sites that do not come from the links, such as |psi|^2 of a solution.
struct OfferedField {
  std::string key;
  QString title;
  std::shared_ptr<const std::vector<double>> values;  // in the order of sites
};

// The title for display.
[[nodiscard]] QString observableTitle(const lattice::ObservableInfo& info);

class LatticeController : public QObject {
  Q_OBJECT
 public:
  enum class Activity { None, Opening, Generating, Showing };

  explicit LatticeController(const Toolbox& toolbox, QObject* parent = nullptr);

  // Opens a configuration and shows it at this flow time.
  void open(const QString& path, const std::optional<lattice::Extents>& extents = {}, int flowSteps = 0);
  void generate(const GenerateSettings& settings, int flowSteps = 0);
  // Writes the configuration: ILDG for .lime and .ildg, else NERSC.
  void save(const QString& path);
  void close();
  // Shows a field: "plaquette" and the other names of observables, or the key of an offered field.
  void choose(const std::string& key);
  void setFlowSteps(int steps);
  // Replaces the additional fields that can be chosen for the open configuration.
  void offer(std::vector<OfferedField> fields);
  // Emits canceled() before it returns. A flow stays at the shown time.
  void cancel();
  // While paused, nothing is smoothed or generated, so that something else can be timed.
  void setPaused(bool paused);

  [[nodiscard]] Activity activity() const { return activity_; }
  [[nodiscard]] bool busy() const { return activity_ != Activity::None; }
  // Whether the worker is running, even if it is only winding down.
  [[nodiscard]] bool working() const { return runner_->busy(); }
  [[nodiscard]] bool saving() const { return saving_.busy(); }
  // Null: none is open.
  [[nodiscard]] std::shared_ptr<const lattice::Configuration> configuration() const { return configuration_; }
  [[nodiscard]] const QString& path() const { return from_.path; }  // empty: generated
  [[nodiscard]] bool saved() const { return !from_.path.isEmpty(); }
  // Of the open configuration: the extents that its file did not state, and how it was generated.
  [[nodiscard]] const std::optional<lattice::Extents>& givenExtents() const { return from_.extents; }
  [[nodiscard]] const std::optional<GenerateSettings>& generated() const { return from_.generated; }
  // "atb_nersc.l8t4b3360", or "generated 8x8x8x8".
  [[nodiscard]] QString name() const;
  [[nodiscard]] const std::string& choice() const { return choice_; }
  [[nodiscard]] int flowSteps() const { return flowSteps_; }
  [[nodiscard]] const std::vector<OfferedField>& offered() const { return offered_; }
  // The field for choice() at flowSteps(), or at an earlier step on the way; null: none yet.
  [[nodiscard]] std::shared_ptr<const ShownField> field() const { return field_; }
  // The known points of the flow, by step.
  [[nodiscard]] const std::map<int, FlowPoint>& curve() const { return curve_; }
  // The plaquette after each sweep of the current or last generation.
  [[nodiscard]] const std::vector<double>& sweeps() const { return sweeps_; }

 Q_SIGNALS:
  void started();
  void progressed(double fraction, const QString& stage);
  void ended();                 // nothing is running
  void configurationChanged();  // a different one, or none
  void choiceChanged();         // choice() or flowSteps()
  void offersChanged();
  void fieldChanged();
  void curveChanged();
  void sweepsChanged();
  void opened(const QString& path);
  void savedTo(const QString& path);
  void failed(const QString& message);
  // The file does not state its extents.
  void extentsMissing(const QString& path, const QString& message);
  void canceled();

 private:
  // Where a configuration comes from, and choice() or flowSteps() at first.
  struct Origin {
    QString path;
    std::optional<lattice::Extents> extents;
    std::optional<GenerateSettings> generated;
    int flowSteps = 0;
  };
  void show();
  void submit(LatticeTask task, Activity activity);
  void showOffered(const OfferedField& offered);
  void receive(const LatticeNews& news);
  // Ends what is running and calls `report`.
  void fail(const std::function<void()>& report);
  void take(std::shared_ptr<const lattice::Configuration> configuration);
  void takeField(const LatticeField& field);
  void end();
  void resume();

  const Toolbox& toolbox_;
  std::shared_ptr<const lattice::Configuration> configuration_;
  std::shared_ptr<const ShownField> field_;
  std::vector<OfferedField> offered_;
  std::map<int, FlowPoint> curve_;
  std::vector<double> sweeps_;
  Origin from_, opening_;
  std::string choice_ = "charge";
  int flowSteps_ = 0;
  Activity activity_ = Activity::None;
  bool paused_ = false, pending_ = false;
  std::uint64_t request_ = 0, firstWanted_ = 0;  // older requests are ignored
  EventBridge<LatticeNews> bridge_;
  BackgroundTask saving_, slicing_;
  std::unique_ptr<LatticeRunner> runner_;  // last member, so that its thread ends before the others are destroyed
};

// One engine's part of a solve.
struct SolveLine {
  SolvePlace place;
  std::vector<SolvePoint> points;       // so far
  std::shared_ptr<const SolveRun> run;  // null until it is done
  bool shared = false;                  // the window computed something else meanwhile, so its times are disturbed
};

// The state of the Solve panel: the runs of the newest solve, updated while they run.
class SolveController : public QObject {
  Q_OBJECT
 public:
  explicit SolveController(const Toolbox& toolbox, QObject* parent = nullptr);

  // Replaces the running solve.
  void solve(SolveJob job, std::vector<SolvePlace> places);
  // `busy`: whether the window is computing something else; called during solves.
  void setOthers(std::function<bool()> busy) { othersBusy_ = std::move(busy); }
  // To be called when other computations may have begun.
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
