#pragma once
// The conjugate residual, prepared for one device.

#include <memory>

#include "core/engine/engine.h"
#include "core/lattice/workload/cr_plan.h"
#include "gpu/lattice/cr_program.h"
#include "gpu/run/device_engine.h"

namespace sscope {

// Compiles and uploads the links, which stay on the device as long as the plan exists. Throws Error(Memory) when the
// arrays do not fit.
[[nodiscard]] std::unique_ptr<CrPlan> makeCrPlan(DeviceEngine& engine, const CrWorkload& workload, CrProgram program,
                                                 const PrepareOptions& options, const Control& control);

}  // namespace sscope
