#pragma once
// What plans on several engines of this machine share: threads for each, and one report of all.

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/engine/resident_array.h"
#include "core/workload/workload.h"

namespace sscope {

// options for each, of which those with threads share options.threads.
[[nodiscard]] std::vector<PrepareOptions> threadSharesOf(std::span<Engine* const> engines,
                                                         const PrepareOptions& options);

// Of "cuda:0+cuda:1": "cuda:0" and "cuda:1"; where one is there again, it is "cuda:0 (2)".
[[nodiscard]] std::vector<std::string> namesOfParts(std::string_view id);

// What one of several engines did in a run.
struct PartShare {
  std::string name;    // namesOfParts
  double planes = 0;   // of the outputs
  double share = 0;    // of all planes, 0..1
  double seconds = 0;  // wall time of its part
};
void note(const PartShare& part, std::map<std::string, double>& launch);
// Those that were noted, in the order of the engines; empty for an engine by itself.
[[nodiscard]] std::vector<PartShare> sharesIn(const std::map<std::string, double>& launch, std::string_view id);

// Of reports of the same time, one of each engine; `work` is the whole's. At least one. Phases are those of the engine
// that takes longest; those of kernels are there where all tell them, and what one device did one
// after the other is added. The total is left for the caller.
[[nodiscard]] RunReport joinedReport(std::span<Engine* const> engines, std::span<const RunReport> reports,
                                     const Work& work);

// A result whose parts live on several devices, each where it was computed.

// `parts` follow each other along `axis` and have everything else in common; at least one. `engine`: the id of the
// engines together.
[[nodiscard]] std::shared_ptr<ResidentArray> joinedArray(std::string engine, std::size_t axis,
                                                         std::vector<std::shared_ptr<ResidentArray>> parts);

}  // namespace sscope
