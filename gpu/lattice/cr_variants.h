#pragma once
// The rungs of the ladder cr on devices: those of dirac, with the solver around them.

#include "core/engine/variant.h"

namespace sscope {

// The first is the default.
void addCrVariants(VariantTable& variants, EngineKind kind);

}  // namespace sscope
