#pragma once
// The rungs of the ladder cr on the processor.

#include "core/engine/variant.h"

namespace sscope::cpu {

void addCrRows(VariantTable& variants);

}  // namespace sscope::cpu
