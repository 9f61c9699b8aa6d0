#pragma once
// Workload "formula" prepared for a device.

#include <memory>
#include <string>

#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/filter/formula/workload/formula_workload.h"
#include "gpu/run/device_engine.h"

namespace sscope {

// Empty, or why the kernel cannot compute this formula.
[[nodiscard]] std::string formulaRestriction(const FormulaWorkload& workload);

// One kernel for the whole region, with all arrays on the device. Throws Error(Memory) when they do not fit and
// Error(Device) when the kernel does not compile.
[[nodiscard]] std::unique_ptr<Plan> makeFormulaPlan(DeviceEngine& engine, const FormulaWorkload& workload,
                                                    const PrepareOptions& options, const Control& control);

}  // namespace sscope
