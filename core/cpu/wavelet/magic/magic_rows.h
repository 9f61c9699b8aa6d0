#pragma once
// The rungs of the ladder magic on the processor.

#include "core/engine/variant.h"

namespace sscope::cpu {

void addMagicRows(VariantTable& variants);

}  // namespace sscope::cpu
