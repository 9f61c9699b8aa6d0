#pragma once
// The rungs of workload "conv2d" that the paper describes (U. Dastgeer and C. Kessler, "A performance-portable generic
// component for 2D convolution computations on GPU-based systems"), for devices.

#include "core/engine/variant.h"

namespace sscope {

// naive, optimized, tiled-occupancy, tiled-tiling.
void addConv2dRungs(VariantTable& variants, EngineKind kind);

}  // namespace sscope
