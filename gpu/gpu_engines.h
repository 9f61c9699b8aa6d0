#pragma once
// The engines on devices behind OpenCL and CUDA.

#include "core/engine/engine.h"
#include "core/engine/variant.h"

namespace sscope {

// Adds one engine for every device of every OpenCL platform (opencl:0, opencl:1, ...) and for every CUDA device
// (cuda:0, ...). Where there is none of a kind, one absent row says why.
void addGpuEngines(EngineSet& engines);
// Adds the rows of workload "filter" for both kinds.
void addGpuVariants(VariantTable& variants);

}  // namespace sscope
