#pragma once
// What each engine took for one setting: quiet repetitions where there are some, else the one run whose result is
// shown. Of the rooms whose engines take turns (core/live/engine_turns.h).

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/run_report.h"
#include "core/live/engine_turns.h"
#include "core/measure/verify.h"
#include "ui/charts/engine_charts.h"

namespace sscope {

// "error 2e-7, full volume", or why it is not verified.
[[nodiscard]] std::string verificationText(const Verification& verification);

class EngineTimes {
 public:
  // Figures of the setting before stay, as stale ones, until there are new ones of the same engine.
  void beginSetting() { ++setting_; }
  void forget() { figures_.clear(); }
  [[nodiscard]] bool empty() const { return figures_.empty(); }

  // The run whose result is shown, and what its verification gave.
  void takeShown(const RunReport& report);
  void takeVerification(const std::string& engine, const Verification& verification);
  void takeTurn(const TurnsUpdate& turn);

  // One row an engine, absent ones last; without ceilings.
  [[nodiscard]] std::vector<EngineRow> rows(const EngineSet& engines, const std::string& current) const;
  // The last run of an engine, of whatever setting; null: none.
  [[nodiscard]] const RunReport* last(const std::string& engine) const;

 private:
  struct Figures {
    std::uint64_t setting = 0;          // that they are of
    std::optional<RunReport> shown;     // the run whose result is shown
    std::vector<RunReport> quiet;       // repetitions, oldest first
    int disturbed = 0;                  // of them
    double compiled = 0, uploaded = 0;  // seconds, once before the repetitions
    Verification verification;
    std::string failure;
    bool checked = false;
  };
  Figures& of(const std::string& engine);  // of the present setting
  [[nodiscard]] EngineRow row(const EngineInfo& info) const;

  std::uint64_t setting_ = 0;
  std::map<std::string, Figures> figures_;
};

}  // namespace sscope
