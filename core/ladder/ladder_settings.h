#pragma once
// What the Ladders room is about to run.

#include <string>
#include <vector>

#include "core/options/settings.h"

namespace sscope {

struct LadderSettings {
  std::string workload = "bank";
  std::vector<std::string> engines;  // ids; those that a machine has not are left out there
  std::vector<std::string> without;  // rungs of the workload that are not run
  std::string size = "small";        // "small", "timed", "paper"
  bool everyPoint = false;           // of the papers' figures
  bool tuneFirst = true;             // rows whose tiles no search on their device has checked yet
  bool operator==(const LadderSettings&) const = default;
  [[nodiscard]] static const SettingsTable& table();
};

}  // namespace sscope
