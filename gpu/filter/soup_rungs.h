#pragma once
// The rungs of workload "soup" that the talk describes (J. Stam, "Convolution Soup: a case study in CUDA optimization",
// GPU Technology Conference 2009), for devices; each followed by its memory-only twin.

#include "core/engine/variant.h"

namespace sscope {

// naive, texture, texture-4px, texture-shared, texture-float-shared, shared-shifted, shared-coalesced, shared-128bit,
// shared-128bit-banked, shared-128bit-unrolled; and the same with "-memory" behind their names.
void addSoupRungs(VariantTable& variants, EngineKind kind);

}  // namespace sscope
