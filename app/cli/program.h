#pragma once
// What every command receives, how commands are added, and the checks that they share.

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/interrupt.h"
#include "app/setup/setup.h"
#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/parts/communicator.h"

namespace CLI {
class App;
}
namespace spdlog {
class logger;
}

namespace sscope::cli {

class ProgressLine {
 public:
  // shown: false for ranks other than the first.
  explicit ProgressLine(bool shown = true);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  [[nodiscard]] bool terminal() const { return terminal_; }
  // Thread-safe; updates at most about 20 times per second.
  void show(double fraction, std::string_view stage);
  void clear();

 private:
  const bool terminal_;
  std::mutex mutex_;
  std::string shown_;
  std::chrono::steady_clock::time_point last_{};
};

struct Program {
  Interrupt& interrupt;
  ProgressLine& progress;
  reach::Communicator& ranks;  // one in sscope, several in sscope-mpi
  int threads = 0;             // of this process, unless its engine gets a number; 0: all
  bool verbose = false;
  std::function<int()> action{};             // the chosen command; returns the exit status
  std::shared_ptr<spdlog::logger> logger{};  // made by the first log()

  // Only the first rank prints messages and writes texts.
  [[nodiscard]] bool speaks() const { return ranks.rank() == 0; }
  // Cancels on Ctrl-C and shows progress.
  [[nodiscard]] Control control();
  // Information for the user, on standard error; only on a terminal or with --verbose.
  void tell(const std::string& line);
  // Diagnostics with the time, on standard error and with --verbose only.
  void log(const std::string& line);
  // Warnings, always shown on standard error.
  void note(const std::string& line);
};

// Every command declares its options and sets program.action when it is chosen.
void addDevices(CLI::App& app, Program& program);
void addInfo(CLI::App& app, Program& program);
void addSample(CLI::App& app, Program& program);
void addFilter(CLI::App& app, Program& program);
void addConvert(CLI::App& app, Program& program);
void addMagic(CLI::App& app, Program& program);
void addDwt(CLI::App& app, Program& program);
void addBench(CLI::App& app, Program& program);
void addCompare(CLI::App& app, Program& program);
void addLattice(CLI::App& app, Program& program);
void addRun(CLI::App& app, Program& program);

// Throws what checkTarget() throws for report files ("-" and "" are none) that cannot be written, before any work is
// done. Throws Error(Usage) if two of them are the same, or one is the file `input`.
void requireTargets(std::initializer_list<std::string> targets, const std::string& input = {});
// Runs every step, even after one that throws, and then throws one Error with all messages. Canceled is passed on at
// once.
void runEach(const std::vector<std::function<void()>>& steps);
// Text to standard output ("-") or, atomically, to a file; by the rank that speaks.
void writeText(Program& program, const std::string& target, const std::string& text);
void writeJson(Program& program, const std::string& target, const nlohmann::json& json);

// Throws Error(Usage) if no engine has this id. Absent engines pass; using them fails with the reason.
void requireKnownEngine(const EngineSet& engines, const std::string& id);
// Throws Error(Usage) if no kind of engine has a variant of this name.
void requireKnownVariant(const VariantTable& variants, const std::string& workload, const std::string& name);

// Throws Error(Usage) for an unknown sample.
void requireKnownSample(const std::string& name);

// `choice`: the id of an engine; a kind of devices (cuda, opencl), which the ranks of a machine take in turn; empty:
// the processor's widest vectors. Throws Error(Usage, NotFound) that names the rank's machine if it does not exist.
[[nodiscard]] Engine& rankEngine(const EngineSet& engines, const std::string& choice, const reach::Communicator& ranks);

// All ranks: the number of different devices that the engines of rankEngine() use together; 0: processors.
[[nodiscard]] int devicesOfRanks(const EngineSet& engines, const std::string& choice, reach::Communicator& ranks,
                                 const Control& control);

}  // namespace sscope::cli
