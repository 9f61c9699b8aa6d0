#pragma once
// The CPU engines: cpu:scalar, cpu:sse4, cpu:avx2, cpu:avx512.

#include "core/engine/engine.h"
#include "core/engine/variant.h"

namespace sscope {

// Adds the four levels; those the processor (or the build) lacks are listed as absent with the reason.
void addCpuEngines(EngineSet& engines);
// Adds the rows "auto", "separable", "dense", "low-rank" and "fft" of workload "filter" for CPU engines.
void addCpuVariants(VariantTable& variants);

}  // namespace sscope
