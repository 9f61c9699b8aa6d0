#pragma once
// The choices of the Compare room.

#include <map>
#include <string>
#include <vector>

#include "core/options/settings.h"

namespace sscope {

struct CompareSettings {
  std::string job = "filters";  // the bank on the open data, or a workload of the catalog
  std::string data = "small";   // of a workload: noise of its "small" or "paper" extents, or the "open" data
  // Parameters of workloads, as on the command line: "magic.order" -> "8". Missing ones have their defaults.
  std::map<std::string, std::string> parameters;
  // "cpu:avx2", or with a variant "cpu:avx2 separable"; none: the room's own choice.
  std::vector<std::string> contenders;
  bool again = false;  // race again on every change
  bool operator==(const CompareSettings&) const = default;
  [[nodiscard]] static const SettingsTable& table();
};

}  // namespace sscope
