#pragma once
// The rows of filters, formulas and their ladders for the processor.

#include "core/engine/variant.h"

namespace sscope::cpu {

// The ways to compute a bank of filters on the processor, "auto" first.
void addFilterRows(VariantTable& variants);

// The ways to compute a formula on the processor.
void addFormulaRows(VariantTable& variants);

// The rungs of the ladders bank, conv2d and soup on the processor.
void addLadderRows(VariantTable& variants);

}  // namespace sscope::cpu
