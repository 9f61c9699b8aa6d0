#pragma once
// The engines on devices behind OpenCL (and the place of CUDA).

#include "core/engine/engine.h"
#include "core/engine/variant.h"

namespace sscope {

// Adds one engine for every device of every OpenCL platform (opencl:0, opencl:1, ...); where there is none, or
// no library, one absent row says why. Adds cuda:0 as absent with its reason.
void addGpuEngines(EngineSet& engines);
// Adds the rows of workload "filter" for OpenCL engines.
void addGpuVariants(VariantTable& variants);

}  // namespace sscope
