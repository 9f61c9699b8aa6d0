#pragma once
// The Lattice room's background work: opening and generating configurations, computing and smoothing fields. The newest
// task wins. Qt-free; one worker thread.

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "core/lattice/job/flow_trail.h"
#include "core/lattice/job/lattice_job.h"
#include "core/live/newest_wins.h"
#include "core/live/news.h"

namespace sscope {

struct OpenTask {
  std::string path;
  std::optional<lattice::Extents> extents;  // for files that do not state theirs
};
struct GenerateTask {
  GenerateSettings settings;
};
struct ShowTask {
  std::shared_ptr<const lattice::Configuration> configuration;  // not null
  lattice::Observable observable = lattice::Observable::Plaquette;
  int flowSteps = 0;
};
using LatticeTask = std::variant<OpenTask, GenerateTask, ShowTask>;

// A configuration was opened or generated.
struct LatticeOpened {
  std::shared_ptr<const lattice::Configuration> configuration;
};
// Progress of the heat bath.
struct LatticeSwept {
  int sweep = 0;
  double plaquette = 0;
};
struct LatticeShown {
  std::shared_ptr<const LatticeField> field;
  bool passing = false;  // at a flow time before the requested one
};
// The task failed because the file does not state its extents.
struct LatticeExtentsMissing {
  std::string message;
};
// FlowPoint: a further point of the flow's curve.
using LatticeNews = News<LatticeOpened, LatticeSwept, FlowPoint, LatticeShown, LatticeExtentsMissing>;

class LatticeRunner {
 public:
  // `deliver` is called on the worker thread, in order.
  LatticeRunner(lattice::ConfigurationIo& files, std::function<void(LatticeNews)> deliver);

  // Returns at once. Replaces a task that has not started. When the new task is another field of the same
  // configuration, the current field is finished, and a flow stops after its next step, which is stored, so that a
  // dragged slider continues from there. Everything else is stopped.
  std::uint64_t submit(LatticeTask task) { return worker_.submit(std::move(task)); }
  void cancel() { worker_.cancel(); }
  [[nodiscard]] bool busy() const { return worker_.busy(); }

 private:
  using Worker = NewestWins<LatticeTask>;
  void execute(const LatticeTask& task, const Worker::Turn& turn);
  void run(const OpenTask& task, std::uint64_t number, const Control& control);
  void run(const GenerateTask& task, std::uint64_t number, const Control& control);
  void run(const ShowTask& task, std::uint64_t number, const Control& control);
  void reportPoint(int step, std::uint64_t number, const Control& control);
  std::shared_ptr<const LatticeField> fieldAt(const ShowTask& task, const Control& control,
                                              const FlowTrail::Watcher& watcher);
  void remember(std::shared_ptr<const LatticeField> field);

  lattice::ConfigurationIo& files_;
  std::function<void(LatticeNews)> deliver_;

  // Used by the worker only.
  std::shared_ptr<const lattice::Configuration> configuration_;  // whose flow and fields are cached
  std::optional<FlowTrail> trail_;
  std::list<std::shared_ptr<const LatticeField>> fields_;  // the newest first
  Worker worker_;
};

}  // namespace sscope
