#pragma once
// What every command gets, and how a command is added.

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/interrupt.h"
#include "app/cli/progress_line.h"
#include "app/setup.h"
#include "core/base/control.h"

namespace CLI {
class App;
}
namespace spdlog {
class logger;
}

namespace sscope::cli {

struct Program {
  Interrupt& interrupt;
  ProgressLine& progress;
  bool verbose = false;
  std::function<int()> action;             // the chosen command; gives the exit status
  std::shared_ptr<spdlog::logger> logger;  // made by the first log()

  // Stops with Ctrl-C and shows progress.
  [[nodiscard]] Control control();
  // For people: shown on a terminal or with --verbose, on standard error.
  void tell(const std::string& line);
  // Diagnostics with the time, on standard error and with --verbose only.
  void log(const std::string& line);
  // Always shown on standard error: what the user must know although it worked.
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
void addLattice(CLI::App& app, Program& program);
void addRun(CLI::App& app, Program& program);

// Throws as checkTarget() for files of reports ("-" and "" are none) that cannot be written: before the work, not
// after. Throws Error(Usage) when two of them are the same, or one is the file `input` that is read.
void requireTargets(std::initializer_list<std::string> targets, const std::string& input = {});
// Text to standard output ("-") or, atomically, to a file.
void writeText(Program& program, const std::string& target, const std::string& text);
void writeJson(Program& program, const std::string& target, const nlohmann::json& json);

// Throws Error(Usage) when no engine has this id (one that is absent passes: using it fails with its reason).
void requireKnownEngine(const EngineSet& engines, const std::string& id);
// Throws Error(Usage) when no engine kind has a variant of this name.
void requireKnownVariant(const VariantTable& variants, const std::string& workload, const std::string& name);

// Throws Error(Usage) when there is no such sample.
void requireKnownSample(const std::string& name);

}  // namespace sscope::cli
