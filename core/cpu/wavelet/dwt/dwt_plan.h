#pragma once
// Workload "dwt" prepared for one CPU level.

#include <memory>

#include "core/cpu/run/simd_level.h"
#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/wavelet/workload/dwt_workload.h"

namespace sscope::cpu {

enum class DwtMethod : std::uint8_t { Simple, Tuned };

// Throws Error(Memory) when the scratch does not fit.
[[nodiscard]] std::unique_ptr<Plan> prepareDwt(const EngineInfo& engine, SimdLevel level, const DwtWorkload& workload,
                                               DwtMethod method, const PrepareOptions& options);

}  // namespace sscope::cpu
