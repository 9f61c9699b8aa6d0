#pragma once
// The rungs of the ladder dirac on devices.

#include "core/engine/variant.h"

namespace sscope {

// The first is the default.
void addDiracVariants(VariantTable& variants, EngineKind kind);

}  // namespace sscope
