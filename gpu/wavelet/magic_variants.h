#pragma once
// The rungs of workload "magic" on devices: the paper's (B. Videau et al., RR-LIG-032, section V) and ours.

#include "core/engine/variant.h"

namespace sscope {

// tuned, tuned-passes, magic, magic-block, magic-inverse, magic-vec2, magic-staggered.
void addMagicVariants(VariantTable& variants, EngineKind kind);

}  // namespace sscope
