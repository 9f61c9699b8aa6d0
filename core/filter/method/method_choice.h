#pragma once
// The method of each operator of a bank: the one with the shortest expected time, unless another is requested.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/run_report.h"
#include "core/filter/method/method.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope {

// The requested method; none: the cheapest for each operator.
using MethodRequest = std::optional<MethodKind>;

struct MethodChoice {
  std::vector<MethodKind> methods;                 // per operator
  std::vector<std::vector<std::size_t>> together;  // operators that are computed together (Method::together), in order
  std::string why;                                 // a sentence for users; empty if there was nothing to choose
  double seconds = 0;                              // expected of the run (CostModel::seconds)
  double executed = 0;                             // operations of the run
};

// Operators that the requested method does not take use their cheapest one. For every operator, `methods` has one that
// needs no request.
[[nodiscard]] MethodChoice chooseMethods(const FilterWorkload& workload, std::span<const Method> methods,
                                         const CostModel& model, MethodRequest request);

// Empty if the request can be run, else the reason, as half a sentence.
[[nodiscard]] std::string methodRestriction(const FilterWorkload& workload, std::span<const Method> methods,
                                            MethodRequest request);

// Adds the number of a filter's tiles that were summed instead of transformed, if any, to a run's report (`why` and
// `launch`).
void reportSummedTiles(RunReport& report, const std::string& filter, std::int64_t summed, std::int64_t tiles);
inline constexpr const char *kSummedTiles = "tiles summed", *kLookedAtTiles = "tiles to transform";

// The report of every run with this choice, without the engine and the times.
[[nodiscard]] RunReport reportOf(const FilterWorkload& workload, const MethodChoice& choice, MethodRequest request);

}  // namespace sscope
