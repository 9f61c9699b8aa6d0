#pragma once
// A program prepared for an engine: its stages are plans of that engine, which run one after the other; on engines with
// caches slab by slab, so that intermediate arrays stay in them.

#include <cstdint>
#include <functional>
#include <memory>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/engine/variant.h"
#include "core/filter/program/program_stages.h"
#include "core/filter/program/program_workload.h"

namespace sscope {

// Makes the plan of one stage; for EndedFilters, throws Error(Unsupported) if they do not all fit.
using PrepareStage = std::function<std::unique_ptr<Plan>(const Workload& stage)>;

// The maximum bytes of intermediate arrays of a slab, so that they stay in the caches.
inline constexpr std::int64_t kProgramSlabBytes = 8 << 20;

// The plan is also a StepTeller. `predictedSeconds`: of all stages together, for reports; 0 if one has no prediction.
// `together`: the formulas that a device computes with their inputs; empty: none. Throws what `prepare` throws.
[[nodiscard]] std::unique_ptr<Plan> makeProgramPlan(const EngineInfo& engine, const ProgramWorkload& workload,
                                                    const PrepareStage& prepare, double predictedSeconds = 0,
                                                    std::int64_t slabBytes = kProgramSlabBytes,
                                                    const EndTogether& together = {});

// Adds the rows of workload "program" for one kind of engine: those of workload "filter", each for the filters of a
// program that it can run. The rows of "filter" and "formula" must be in the table already.
void addProgramRows(VariantTable& variants, EngineKind kind);

}  // namespace sscope
