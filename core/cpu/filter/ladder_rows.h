#pragma once
// The rungs of the ladders bank, conv2d and soup on the processor.

#include "core/engine/variant.h"

namespace sscope::cpu {

void addLadderRows(VariantTable& variants);

}  // namespace sscope::cpu
