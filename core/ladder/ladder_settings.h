#pragma once
// The choices of the Ladders room.

#include <string>
#include <vector>

#include "core/options/settings.h"

namespace sscope {

struct LadderSettings {
  std::string workload = "bank";
  std::vector<std::string> engines;  // ids; engines that this machine lacks are left out
  std::vector<std::string> without;  // rungs that are not run
  std::string size = "small";        // "small", "timed", "paper"
  bool everyPoint = false;           // of the papers' figures
  bool tuneFirst = true;             // tune rows that were never tuned on their device
  bool operator==(const LadderSettings&) const = default;
  [[nodiscard]] static const SettingsTable& table();
};

}  // namespace sscope
