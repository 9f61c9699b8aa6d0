#pragma once
// Workload "filter" prepared for a device.

#include <memory>

#include "core/engine/plan.h"
#include "core/filter/method/method_choice.h"
#include "core/filter/workload/filter_workload.h"
#include "gpu/run/device_engine.h"

namespace sscope {

// Compiles, chooses tiles and makes tables. Throws Error(Memory) when not even a single slice fits, Error(Device) when
// a kernel does not compile. The time for kernels is the compile phase of the plan's first run.
[[nodiscard]] std::unique_ptr<Plan> makeFilterPlan(DeviceEngine& engine, const FilterWorkload& workload,
                                                   MethodRequest request, const PrepareOptions& options,
                                                   const Control& control);

// Expected seconds of a run of that plan, without transfers (CostModel::seconds).
[[nodiscard]] double predictFilter(const EngineInfo& engine, const FilterWorkload& workload, MethodRequest request,
                                   const PrepareOptions& options);

}  // namespace sscope
