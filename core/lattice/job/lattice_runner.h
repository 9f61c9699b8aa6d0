#pragma once
// The Lattice room's work beside the window: configurations opened and generated, fields shown and smoothed. The newest
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

namespace sscope {

struct OpenTask {
  std::string path;
  std::optional<lattice::Extents> extents;  // of files that do not say theirs
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

struct LatticeUpdate {
  enum class Stage : std::uint8_t {
    Opened,    // configuration: that of a file, or a generated one
    Swept,     // sweep and plaquette: so far
    Flowed,    // point: one more of the flow's curve
    Passing,   // field: at a flow time on the way to the one asked for
    Shown,     // field: what was asked for
    Progress,  // fraction and message
    Failed,    // message says why
    Canceled,  // on demand; superseded work ends silently
  };
  Stage stage = Stage::Progress;
  std::uint64_t request = 0;  // number given by submit()
  std::shared_ptr<const lattice::Configuration> configuration;
  std::shared_ptr<const LatticeField> field;
  FlowPoint point;
  int sweep = 0;
  double plaquette = 0;
  std::string message;
  double fraction = 0;
  bool extentsMissing = false;  // Failed: the file does not say its extents
};

class LatticeRunner {
 public:
  // `deliver` is called on the worker thread, in order.
  LatticeRunner(lattice::ConfigurationIo& files, std::function<void(LatticeUpdate)> deliver);

  // Returns at once. Replaces a task that has not started. A field under way is finished when it is asked for another
  // one of the same configuration, and a flow ends at its next step, which is kept: a slider that is dragged on goes on
  // from there. Everything else is stopped.
  std::uint64_t submit(LatticeTask task) { return worker_.submit(std::move(task)); }
  void cancel() { worker_.cancel(); }
  [[nodiscard]] bool busy() const { return worker_.busy(); }

 private:
  using Worker = NewestWins<LatticeTask>;
  void execute(const LatticeTask& task, const Worker::Turn& turn);
  void run(const OpenTask& task, std::uint64_t number, const Control& control);
  void run(const GenerateTask& task, std::uint64_t number, const Control& control);
  void run(const ShowTask& task, std::uint64_t number, const Control& control);
  void tellPoint(int step, std::uint64_t number, const Control& control);
  std::shared_ptr<const LatticeField> fieldAt(const ShowTask& task, const Control& control,
                                              const FlowTrail::Watcher& watcher);
  void remember(std::shared_ptr<const LatticeField> field);

  lattice::ConfigurationIo& files_;
  std::function<void(LatticeUpdate)> deliver_;

  // Of the worker alone.
  std::shared_ptr<const lattice::Configuration> configuration_;  // whose flow and fields are kept
  std::optional<FlowTrail> trail_;
  std::list<std::shared_ptr<const LatticeField>> fields_;  // the newest first
  Worker worker_;
};

}  // namespace sscope
