#pragma once

#include "core/engine/variant.h"

namespace sscope {

// The ways to compute a formula on devices of a kind.
void addFormulaVariants(VariantTable& variants, EngineKind kind);

}  // namespace sscope
