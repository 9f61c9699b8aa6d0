#pragma once
// Which method computes each operator of a bank: the one that is expected to take the shortest, unless somebody asks
// for another.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/run_report.h"
#include "core/filter/method/method.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope {

// What was asked for; none: each operator's cheapest.
using MethodRequest = std::optional<MethodKind>;

struct MethodChoice {
  std::vector<MethodKind> methods;                 // per operator
  std::vector<std::vector<std::size_t>> together;  // operators that are computed together (Method::together), in order
  std::string why;                                 // a sentence for people; empty when there was nothing to choose
  double seconds = 0;                              // expected of the run (CostModel::seconds)
  double executed = 0;                             // operations of the run
};

// Operators that the requested method does not take are computed by their cheapest. Every operator is taken by some
// method of `methods` that need not be asked for.
[[nodiscard]] MethodChoice chooseMethods(const FilterWorkload& workload, std::span<const Method> methods,
                                         const CostModel& model, MethodRequest request);

// Empty when the request can be run, else why not, as half a sentence.
[[nodiscard]] std::string methodRestriction(const FilterWorkload& workload, std::span<const Method> methods,
                                            MethodRequest request);

// Says in a run's report (`why`, and in numbers in `launch`) how many of a filter's tiles were summed instead of
// transformed, if any.
void reportSummedTiles(RunReport& report, const std::string& filter, std::int64_t summed, std::int64_t tiles);
inline constexpr const char *kSummedTiles = "tiles summed", *kLookedAtTiles = "tiles to transform";

// What every run with this choice reports, but for the engine and the times.
[[nodiscard]] RunReport reportOf(const FilterWorkload& workload, const MethodChoice& choice, MethodRequest request);

}  // namespace sscope
