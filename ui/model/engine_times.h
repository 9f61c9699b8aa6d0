#pragma once
// The times of engines that a room shows beside each other for one setting: the repetitions of short races
// (core/compare/race.h), or of an engine that did not race the one run whose result is shown. Also which engines are to
// race.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/compare/race.h"
#include "core/engine/engine.h"
#include "core/engine/run_report.h"
#include "core/measure/verify.h"
#include "ui/charts/engine_charts.h"

namespace sscope {

// "error 2e-7, full volume", or why it is not verified.
[[nodiscard]] std::string verificationText(const Verification& verification);

class EngineTimes {
 public:
  // Times of the setting before stay, as stale ones, until there are new ones of the same engine. Engines are due
  // again.
  void beginSetting();
  void forget() { figures_.clear(); }
  [[nodiscard]] bool empty() const { return figures_.empty(); }

  // The engines that race the shown one. Returns whether they changed.
  bool choose(std::vector<std::string> engines);
  // Requests more repetitions of each of them, or of the shown one if there is none.
  void askForMore(bool running);
  // Whether the user stopped the race of this setting: no engine is due until something new is requested.
  [[nodiscard]] bool declined() const { return declined_; }
  void setDeclined(bool declined) { declined_ = declined; }
  // The next race, if one is due: engines with the fewest repetitions catch up first, so that repeated requests starve
  // none.
  struct DueRace {
    std::vector<BenchRow> contenders;
    int repetitions = 0;
  };
  [[nodiscard]] std::optional<DueRace> due(const std::string& shown, const std::string& variant) const;

  // The run whose result is shown, and its verification.
  void takeShown(const RunReport& report);
  void takeVerification(const std::string& engine, const Verification& verification);
  // Returns whether rows() changed.
  bool take(const std::vector<BenchRow>& contenders, const compare::RaceEvent& event);
  // Why the race ended for all of them.
  void takeFailure(const std::vector<BenchRow>& contenders, const std::string& why);

  // One row per engine, absent ones last; without ceilings.
  [[nodiscard]] std::vector<EngineRow> rows(const EngineSet& engines, const std::string& current) const;
  // The last run of an engine, of whatever setting; null: none.
  [[nodiscard]] const RunReport* last(const std::string& engine) const;

 private:
  struct Figures {
    std::uint64_t setting = 0;             // whose figures they are
    std::optional<RunReport> shown;        // the run whose result is shown
    std::optional<RunReport> checked;      // the race's first run, which is not timed
    std::vector<RunReport> repetitions;    // oldest first
    int disturbed = 0;                     // of them
    double compiled = 0, uploaded = 0;     // seconds, once before the repetitions
    std::optional<Verification> verified;  // empty: not compared yet
    std::string failure;
    int missed = 0;  // repetitions that were wanted when it failed
  };
  Figures& of(const std::string& engine);                        // of the present setting
  void fail(const std::string& engine, const std::string& why);  // so that it does not race again on its own
  [[nodiscard]] int repetitionsOf(const std::string& engine) const;
  [[nodiscard]] EngineRow row(const EngineInfo& info) const;

  std::uint64_t setting_ = 0;
  std::map<std::string, Figures> figures_;
  std::vector<std::string> compared_;
  int wanted_ = compare::kShortRepetitions;  // of each engine
  bool repeat_ = false;                      // requested by the user, even if no other engine is compared
  bool declined_ = false;
};

}  // namespace sscope
