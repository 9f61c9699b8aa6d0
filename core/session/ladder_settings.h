#pragma once
// What the Ladders room is about to run.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sscope {

struct LadderSettings {
  std::string workload = "bank";
  std::vector<std::string> engines;  // ids; those that a machine has not are left out there
  std::vector<std::string> without;  // rungs of the workload that are not run
  std::string size = "small";        // "small", "timed", "paper"
  bool everyPoint = false;           // of the papers' figures
  bool tuneFirst = true;             // rows whose tiles no search on their device has checked yet
  bool operator==(const LadderSettings&) const = default;
};

// fromJson throws Error(BadData) that names the member.
[[nodiscard]] nlohmann::json toJson(const LadderSettings& settings);
[[nodiscard]] LadderSettings ladderSettingsFrom(const nlohmann::json& object);

}  // namespace sscope
