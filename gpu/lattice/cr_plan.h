#pragma once
// The conjugate residual, prepared for one device.

#include <memory>

#include "core/engine/engine.h"
#include "core/lattice/workload/cr_plan.h"
#include "gpu/lattice/cr_program.h"
#include "gpu/run/device_engine.h"

namespace sscope {

// Compiles, and brings the links to the device, where they stay as long as the plan. Throws Error(Memory) when the
// arrays do not fit.
[[nodiscard]] std::unique_ptr<CrPlan> makeCrPlan(DeviceEngine& engine, const CrWorkload& workload, CrProgram program,
                                                 const PrepareOptions& options, const Control& control);

}  // namespace sscope
