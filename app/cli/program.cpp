#include "app/cli/program.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <optional>
#include <vector>

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <nlohmann/json.hpp>

#include "app/cli/command_files.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/words.h"
#include "core/engine/joined_engine.h"
#include "datasets/samples.h"

namespace sscope::cli {

ProgressLine::ProgressLine(bool shown) : terminal_(shown && ::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(double fraction, std::string_view stage) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  const int percent = static_cast<int>(100 * std::clamp(fraction, 0.0, 1.0));
  const std::string text = std::to_string(percent) + " % " + std::string(stage);
  if (text == shown_ || (!shown_.empty() && now - last_ < std::chrono::milliseconds(50))) return;
  last_ = now;
  shown_ = text;
  std::fprintf(stderr, "\r%s\033[K", text.c_str());
  std::fflush(stderr);
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (shown_.empty()) return;
  shown_.clear();
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

Control Program::control() {
  return {interrupt.token(), [this](double fraction, std::string_view stage) { progress.show(fraction, stage); }};
}

void Program::tell(const std::string& line) {
  if (verbose || progress.terminal()) note(line);
}

void Program::log(const std::string& line) {
  if (!verbose || !speaks()) return;
  if (!logger) {
    logger = std::make_shared<spdlog::logger>("sscope", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    logger->set_pattern("[%H:%M:%S.%e] %v");
  }
  progress.clear();
  logger->info(line);
}

void Program::note(const std::string& line) {
  if (!speaks()) return;
  progress.clear();
  std::cerr << inOneLine(line) << '\n';
}

void requireTargets(std::initializer_list<std::string> targets, const std::string& input) {
  requireSafeTargets({targets, {}}, {input});
}

void runEach(const std::vector<std::function<void()>>& steps) {
  std::optional<ErrorKind> kind;
  std::string text;
  for (const auto& step : steps) {
    try {
      step();
    } catch (const Canceled&) {
      throw;
    } catch (const Error& error) {
      text += (text.empty() ? "" : "; ") + std::string(error.what());
      if (!kind) kind = error.kind();
    }
  }
  if (kind) throw Error(*kind, text);
}

void writeText(Program& program, const std::string& target, const std::string& text) {
  if (!program.speaks()) return;
  program.progress.clear();
  if (target == "-") {
    std::cout << text << std::flush;
    if (!std::cout) throw Error(ErrorKind::Io, "cannot write to the standard output", "check where it goes");
  } else {
    program.interrupt.writes(target);
    writeTextFile(target, text);
  }
}

void writeJson(Program& program, const std::string& target, const nlohmann::json& json) {
  writeText(program, target, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void requireKnownEngine(const EngineSet& engines, const std::string& id) {
  if (namesJoined(id)) {
    static_cast<void>(engines.at(id));
    return;
  }
  std::string known;
  for (const EngineInfo& info : engines.infos()) {
    if (info.id == id) return;
    known += (known.empty() ? "" : ", ") + info.id;
  }
  throw Error(ErrorKind::Usage, "there is no engine " + id, "use one of " + known);
}

void requireKnownVariant(const VariantTable& variants, const std::string& workload, const std::string& name) {
  std::vector<std::string> known;
  for (const Variant& row : variants.rows()) {
    if (row.workload != workload) continue;
    if (row.name == name) return;
    if (std::find(known.begin(), known.end(), row.name) == known.end()) known.push_back(row.name);
  }
  std::string list;
  for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
  throw Error(ErrorKind::Usage, "there is no variant " + name + " of " + workload, "use one of " + list);
}

void requireKnownSample(const std::string& name) {
  std::string known;
  for (const Sample& one : samples()) {
    if (one.name == name) return;
    known += (known.empty() ? "" : ", ") + one.name;
  }
  throw Error(ErrorKind::Usage, "there is no sample " + name, "use one of " + known);
}

Engine& rankEngine(const EngineSet& engines, const std::string& choice, const reach::Communicator& ranks) {
  if (choice.empty()) return engines.preferred();
  std::vector<Engine*> ofKind;
  for (Engine* engine : engines.available())
    if (engine->info().isDevice() && toString(engine->info().kind) == choice) ofKind.push_back(engine);
  if (!ofKind.empty()) return *ofKind[static_cast<std::size_t>(ranks.localRank()) % ofKind.size()];
  for (const EngineInfo& info : engines.infos())
    if (info.isDevice() && toString(info.kind) == choice && info.id != choice)
      return engines.at(info.id);  // throws the reason of the absence
  if (engines.find(choice) == nullptr) requireKnownEngine(engines, choice);
  return engines.at(choice);
}

// The ranks of a machine take its devices in turn; the first ranks get different ones.
int devicesOfRanks(const EngineSet& engines, const std::string& choice, reach::Communicator& ranks,
                   const Control& control) {
  const Engine& own = rankEngine(engines, choice, ranks);
  int offered = 0;
  for (const Engine* engine : engines.available()) {
    const EngineInfo& info = engine->info();
    offered += info.isDevice() && (info.id == choice || toString(info.kind) == choice) ? 1 : 0;
  }
  const double first = own.info().isDevice() && ranks.localRank() < offered ? 1 : 0;
  double devices = 0;
  for (const double each : ranks.gather({&first, 1}, control)) devices += each;
  return static_cast<int>(devices);
}

}  // namespace sscope::cli
