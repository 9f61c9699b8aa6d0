#pragma once
// The rungs of the ladder dirac on the processor.

#include "core/engine/variant.h"

namespace sscope::cpu {

void addDiracRows(VariantTable& variants);

}  // namespace sscope::cpu
