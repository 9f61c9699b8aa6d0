#pragma once
// The rows of the wavelet transform and the magic filter for the processor.

#include "core/engine/variant.h"

namespace sscope::cpu {

// The rows of workload "dwt".
void addDwtRows(VariantTable& variants);

// The rungs of workload "magic": the paper's and ours.
void addMagicRows(VariantTable& variants);

}  // namespace sscope::cpu
