#pragma once
// Workload "dwt" on a device: the passes of all levels in sequence.

#include <memory>

#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/wavelet/workload/dwt_workload.h"
#include "gpu/run/device_engine.h"

namespace sscope {

enum class DwtRung : std::uint8_t { Naive, Tuned };

// Compiles and reserves nothing large. Throws Error(Memory) when the arrays do not fit.
[[nodiscard]] std::unique_ptr<Plan> makeDwtPlan(DeviceEngine& engine, const DwtWorkload& workload, DwtRung rung,
                                                const PrepareOptions& options, const Control& control);

}  // namespace sscope
