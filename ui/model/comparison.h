#pragma once
// Which engines a room times against the shown one, how often each ran, and which are due.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/live/engine_turns.h"

namespace sscope {

class Comparison {
 public:
  // Returns whether they changed.
  bool choose(std::vector<std::string> engines);
  // Resets all counts for a new setting.
  void beginSetting();
  // Requests more runs of each compared engine, or of the shown one if none is compared.
  void askForMore(bool running);
  // Whether the user stopped the timing of this setting: no engine is due until something new is requested.
  [[nodiscard]] bool declined() const { return declined_; }
  void setDeclined(bool declined) { declined_ = declined; }
  void take(const TurnsUpdate& turn);

  // The engines that are due, if any. Those with the fewest runs come first, so that repeated requests do not starve an
  // engine.
  [[nodiscard]] std::optional<Contest> due(const std::string& shown, const std::string& variant);

 private:
  std::vector<std::string> compared_;
  std::map<std::string, int> samples_;  // of this setting, by engine
  int wanted_ = kQuietRepetitions;      // of each
  bool repeat_ = false;                 // requested by the user, even if no other engine is compared
  bool declined_ = false;
};

}  // namespace sscope
