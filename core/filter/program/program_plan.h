#pragma once
// A program prepared for an engine: its stages as plans of that engine, run one after the other, slab by slab where the
// engine has caches for what lies between them.

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

// Makes the plan of one stage; of EndedFilters, throws Error(Unsupported) where there turns out to be no room for all.
using PrepareStage = std::function<std::unique_ptr<Plan>(const Workload& stage)>;

// Bytes that may lie between the stages of a slab, so that they stay in the caches.
inline constexpr std::int64_t kProgramSlabBytes = 8 << 20;

// It is a StepTeller as well. `predictedSeconds`: of all stages together, for reports; 0 where one of them is not
// predicted. `together`: which formulas a device computes with what they read; empty: none. Throws what `prepare`
// throws.
[[nodiscard]] std::unique_ptr<Plan> makeProgramPlan(const EngineInfo& engine, const ProgramWorkload& workload,
                                                    const PrepareStage& prepare, double predictedSeconds = 0,
                                                    std::int64_t slabBytes = kProgramSlabBytes,
                                                    const EndTogether& together = {});

// The rows of workload "program": those of workload "filter", each for the filters of a program that it can run.

// For one kind of engine, whose rows of "filter" and "formula" are in the table already.
void addProgramRows(VariantTable& variants, EngineKind kind);

}  // namespace sscope
