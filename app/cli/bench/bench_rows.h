#pragma once
// Which engines and variants `sscope bench` and `sscope compare` time, from --engine and --variant.

#include <string>
#include <string_view>
#include <vector>

#include "app/setup/setup.h"
#include "core/measure/bench.h"

namespace CLI {
class App;
}

namespace sscope::cli {

struct BenchChoice {
  // Engines, "engine/variant", "all" for the machine's engines (including absent ones, whose reasons are listed in the
  // table), or "peers" for the other libraries; none: all.
  std::vector<std::string> engines;
  std::string variant;  // a name, "all", or empty for each engine's first
};

// --engine and --variant.
void addRowOptions(CLI::App& command, BenchChoice& choice);

// Throws Error(NotFound) for unknown engines and variants, and for an absent engine if it is the only one.
[[nodiscard]] std::vector<BenchRow> chosenRows(const Workshop& workshop, const BenchChoice& choice,
                                               const Workload& workload);

// Gives each row the values that its variant declares.
[[nodiscard]] std::vector<BenchRow> withValues(std::vector<BenchRow> rows, const Workshop& workshop,
                                               std::string_view workload, const OptionValues& values);

}  // namespace sscope::cli
