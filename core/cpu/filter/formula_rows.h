#pragma once

#include "core/engine/variant.h"

namespace sscope::cpu {

// The ways to compute a formula on the processor.
void addFormulaRows(VariantTable& variants);

}  // namespace sscope::cpu
