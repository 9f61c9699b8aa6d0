#pragma once
// The engines on devices behind OpenCL and CUDA.

#include <functional>
#include <memory>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "gpu/device/device.h"

namespace sscope {

// Adds one engine for every device of every OpenCL platform (opencl:0, opencl:1, ...) and for every CUDA device
// (cuda:0, ...). Where there is none of a kind, one absent row says why. `between`, where given, gets each device and
// returns what its engine shall use in its place: the same, watched.
using DeviceWrapper = std::function<std::unique_ptr<Device>(std::unique_ptr<Device>)>;
void addGpuEngines(EngineSet& engines, const DeviceWrapper& between = {});
// Adds the rows of workload "filter" for both kinds.
void addGpuVariants(VariantTable& variants);

}  // namespace sscope
