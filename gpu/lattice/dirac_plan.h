#pragma once
// A design of Wilson's operator, prepared for one device.

#include <memory>

#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "gpu/lattice/dirac_design.h"
#include "gpu/run/device_engine.h"

namespace sscope {

// Compiles, and brings the links to the device, where they stay as long as the plan. Throws Error(Memory) when the
// arrays do not fit.
[[nodiscard]] std::unique_ptr<Plan> makeDiracPlan(DeviceEngine& engine, const DiracWorkload& workload,
                                                  DiracDesign design, const PrepareOptions& options,
                                                  const Control& control);

}  // namespace sscope
