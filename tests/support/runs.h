#pragma once
// One run of a plan: outputs that are poisoned before it, their comparison with the reference, and equality bit by bit.

#include <cstdint>
#include <string>
#include <vector>

#include "core/engine/plan.h"
#include "core/engine/variant.h"
#include "core/measure/verify.h"
#include "core/volume/volume.h"
#include "core/workload/workload.h"

namespace sscope::test {

struct PlanRun {
  std::vector<Volume> outputs;
  RunReport report;
  std::int64_t scratchBytes = 0;  // of the plan

  [[nodiscard]] std::vector<ConstArrayView> views() const;
};

[[nodiscard]] VolumeShape shapeOf(const ArraySpec& spec);
// Poisoned volumes for the outputs of a workload.
[[nodiscard]] std::vector<Volume> roomFor(const Workload& workload);
[[nodiscard]] std::vector<ArrayView> viewsOf(std::vector<Volume>& volumes);
// Runs into poisoned outputs. `identity`: Inputs::identity.
[[nodiscard]] PlanRun runOnce(Plan& plan, const Workload& workload, const Inputs& inputs, const Control& control = {});
[[nodiscard]] PlanRun runOnce(Plan& plan, const Workload& workload, const Volume& input, std::uint64_t identity = 0,
                              const Control& control = {});

// The outputs against the reference, with the options' budget.
[[nodiscard]] Verification compared(const Workload& workload, const Volume& input, const PlanRun& run,
                                    const VerifyOptions& options = {});
// Of every element, however long it takes.
inline const VerifyOptions kEverywhere{.fullBudgetSeconds = 1e9};
// The same for every element, however long it takes: the failure, empty where there is none. With a row: against the
// reference that this row is held to, and the name of the engine, the time of the kernel and the saturated elements of
// the report, too.
[[nodiscard]] std::string wrongIn(const Workload& workload, const Volume& input, const PlanRun& run);
[[nodiscard]] std::string wrongIn(const EngineInfo& engine, const Variant& row, const Workload& workload,
                                  const Volume& input, const PlanRun& run);
// Elements that are clamped to the range of each output's type, as the reference has them.
[[nodiscard]] std::vector<std::int64_t> saturatedIn(const Workload& workload, const Volume& input);

[[nodiscard]] bool sameBits(const Volume& a, const Volume& b);
// All outputs of two runs.
[[nodiscard]] bool sameBits(const PlanRun& a, const PlanRun& b);
// Elements of `part`, the result of a region, that differ from the whole's there.
[[nodiscard]] std::int64_t differentElements(const Volume& part, const Volume& whole, const Box& region);

}  // namespace sscope::test
