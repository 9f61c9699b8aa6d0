#pragma once
// Which engines a room times against the one that it shows, how often each ran, and who is still to run.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/live/engine_turns.h"

namespace sscope {

class Comparison {
 public:
  // Returns whether they are others than before.
  bool choose(std::vector<std::string> engines);
  // What ran before says nothing about the setting of now.
  void beginSetting();
  // More runs of each compared engine, of the shown one alone where none is compared; at once whatever runs now.
  void askForMore(bool running);
  // Whether somebody stopped the timing of this setting: nobody is due until something new is asked for.
  [[nodiscard]] bool declined() const { return declined_; }
  void setDeclined(bool declined) { declined_ = declined; }
  void take(const TurnsUpdate& turn);

  // Empty: nobody is due. Those with the fewest runs come first, so that no engine starves however often a run is asked
  // for again.
  [[nodiscard]] std::optional<Contest> due(const std::string& shown, const std::string& variant);

 private:
  std::vector<std::string> compared_;
  std::map<std::string, int> samples_;  // of this setting, by engine
  int wanted_ = kQuietRepetitions;      // of each
  bool repeat_ = false;                 // somebody asked for them, be any other engine compared or not
  bool declined_ = false;
};

}  // namespace sscope
