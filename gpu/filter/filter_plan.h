#pragma once
// Workload "filter" prepared for a device.

#include <memory>
#include <string>

#include "core/engine/plan.h"
#include "core/filter/method/method_choice.h"
#include "core/filter/program/ended_filters.h"
#include "core/filter/workload/filter_workload.h"
#include "gpu/run/device_engine.h"

namespace sscope {

// Compiles, chooses tiles and makes tables. Throws Error(Memory) when not even a single slice fits, Error(Device) when
// a kernel does not compile. The time for kernels is the compile phase of the plan's first run.
[[nodiscard]] std::unique_ptr<Plan> makeFilterPlan(DeviceEngine& engine, const FilterWorkload& workload,
                                                   MethodRequest request, const PrepareOptions& options,
                                                   const Control& control);

// The same with formulas at the end of kernels, where endedFilterRestriction() is empty. Throws Error(Unsupported)
// where there is no room for them on the device, and if the plan must not wait for a kernel to be compiled.
[[nodiscard]] std::unique_ptr<Plan> makeFilterPlan(DeviceEngine& engine, const EndedFilters& workload,
                                                   MethodRequest request, const PrepareOptions& options,
                                                   const Control& control);

// Expected seconds of a run of that plan, without transfers (CostModel::seconds).
[[nodiscard]] double predictFilter(const EngineInfo& engine, const FilterWorkload& workload, MethodRequest request,
                                   const PrepareOptions& options);
[[nodiscard]] double predictFilter(const EngineInfo& engine, const EndedFilters& workload, MethodRequest request,
                                   const PrepareOptions& options);
// Why filters do not end in formulas as they would be computed, as half a sentence; empty if they do.
[[nodiscard]] std::string endedFilterRestriction(const EngineInfo& engine, const EndedFilters& workload,
                                                 MethodRequest request);

}  // namespace sscope
