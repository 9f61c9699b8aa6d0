#pragma once
// A design of the magic filter, prepared for one device.

#include <memory>

#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "gpu/run/device_engine.h"
#include "gpu/wavelet/magic_design.h"

namespace sscope {

// Compiles. Throws Error(Memory) when the arrays do not fit.
[[nodiscard]] std::unique_ptr<Plan> makeMagicPlan(DeviceEngine& engine, const MagicWorkload& workload,
                                                  MagicDesign design, const PrepareOptions& options,
                                                  const Control& control);

}  // namespace sscope
