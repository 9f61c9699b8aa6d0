#pragma once
// The rows of the wavelet transform and the magic filter for devices.

#include "core/engine/variant.h"

namespace sscope {

// The rows of workload "dwt" for devices.
void addDwtVariants(VariantTable& variants, EngineKind kind);

// The rungs of workload "magic": the paper's (B. Videau et al., RR-LIG-032, section V) and ours. tuned, tuned-passes,
// magic, magic-block, magic-inverse, magic-vec2, magic-staggered.
void addMagicVariants(VariantTable& variants, EngineKind kind);

}  // namespace sscope
