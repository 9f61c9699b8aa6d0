#pragma once
// A design of Wilson's operator, prepared for one device.

#include <memory>

#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "gpu/lattice/dirac_design.h"
#include "gpu/run/device_engine.h"

namespace sscope {

// Compiles and uploads the links, which stay on the device as long as the plan exists. Throws Error(Memory) when the
// arrays do not fit.
[[nodiscard]] std::unique_ptr<Plan> makeDiracPlan(DeviceEngine& engine, const DiracWorkload& workload,
                                                  DiracDesign design, const PrepareOptions& options,
                                                  const Control& control);

}  // namespace sscope
