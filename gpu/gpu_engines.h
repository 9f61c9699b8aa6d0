#pragma once
// The engines for OpenCL and CUDA devices.

#include <functional>
#include <memory>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "gpu/device/device.h"

namespace sscope {

// Adds one engine for every device of every OpenCL platform (opencl:0, opencl:1, ...) and for every CUDA device
// (cuda:0, ...). If there is no device of a kind, adds one absent row with the reason. `between`, if given, may wrap
// each device before its engine gets it (tests watch devices this way).
using DeviceWrapper = std::function<std::unique_ptr<Device>(std::unique_ptr<Device>)>;
void addGpuEngines(EngineSet& engines, const DeviceWrapper& between = {});
// Adds the rows of all workloads for both kinds.
void addGpuVariants(VariantTable& variants);

}  // namespace sscope
