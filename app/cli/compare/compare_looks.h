#pragma once
// The analyses of `sscope compare` besides the race: agreement of whole results, probes, explanations, and the
// break-even map.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/program.h"
#include "app/setup/setup.h"
#include "core/compare/break_even.h"
#include "core/compare/case.h"
#include "core/compare/compare_page.h"
#include "core/compare/contract.h"
#include "core/compare/lane_agreement.h"

namespace sscope::cli {

struct LookChoice {
  std::optional<std::string> agreement;  // "reference" or a contender
  bool contract = false;
  bool explain = false;
  std::vector<std::int64_t> edges;  // of the map; empty: no map, or the edge of the data
  std::string vary;                 // "sigma=1,2,4"
};
void addLookOptions(CLI::App& command, LookChoice& choice);

// The choice, checked against the case before anything is timed.
struct LookPlan {
  bool agreement = false, contract = false, explain = false;
  std::optional<std::size_t> base;  // of the agreement; empty: the reference
  std::optional<compare::BreakEvenAxes> axes;
};
// Throws Error(Usage) for an unknown contender or option.
[[nodiscard]] LookPlan planned(const LookChoice& choice, const compare::Case& what,
                               const std::vector<BenchRow>& contenders);

struct Looks {
  std::optional<compare::AgreementTable> agreement;
  std::optional<compare::Contract> contract;
  std::optional<compare::BreakEvenMap> map;
  std::vector<compare::Lane> explained;  // empty: no explanations are wanted
  std::string stopped;                   // "stopped after 3 of 12 cells of the map"; empty: it was not stopped
};
// Fills in each analysis as it is done. Throws the Error of one that fails, and Canceled.
void look(Program& program, const Workshop& workshop, const compare::Case& what, const LookPlan& plan,
          const compare::Comparison& result, Looks& looks);

[[nodiscard]] std::string textOf(const Looks& looks);
[[nodiscard]] std::vector<compare::PageSection> sectionsOf(const Looks& looks);
// Members "agreement", "contract", "break_even", "stopped".
void addTo(nlohmann::json& document, const Looks& looks);
// Throws Error(Device) that names the first probe that failed.
void requireKept(const Looks& looks);

}  // namespace sscope::cli
