#pragma once
// What plans on several engines of this machine share: the threads of each, one report of all, and results in parts.

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

// The options of each engine; engines with threads share options.threads.
[[nodiscard]] std::vector<PrepareOptions> threadSharesOf(std::span<Engine* const> engines,
                                                         const PrepareOptions& options);

// For "cuda:0+cuda:1": "cuda:0" and "cuda:1"; an engine that occurs again is "cuda:0 (2)".
[[nodiscard]] std::vector<std::string> namesOfParts(std::string_view id);

// The share of one of several engines in a run.
struct PartShare {
  std::string name;    // from namesOfParts()
  double planes = 0;   // of the outputs
  double share = 0;    // of all planes, 0..1
  double seconds = 0;  // wall time of its part
};
void note(const PartShare& part, std::map<std::string, double>& launch);
// The shares that note() stored, in the order of the engines; empty for a single engine.
[[nodiscard]] std::vector<PartShare> sharesIn(const std::map<std::string, double>& launch, std::string_view id);

// Joins the reports of simultaneous runs, one per engine and at least one; `work` is that of the whole. Each phase is
// the longest of all engines; kernel times are reported only if all engines report them, and the times of one device
// are added. The caller sets the total.
[[nodiscard]] RunReport joinedReport(std::span<Engine* const> engines, std::span<const RunReport> reports,
                                     const Work& work);

// A result whose parts stay on the devices that computed them.

// `parts`, at least one, follow each other along `axis` and agree in all else. `engine`: the id of the joined engine.
[[nodiscard]] std::shared_ptr<ResidentArray> joinedArray(std::string engine, std::size_t axis,
                                                         std::vector<std::shared_ptr<ResidentArray>> parts);

}  // namespace sscope
