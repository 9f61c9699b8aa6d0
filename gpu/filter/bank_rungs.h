#pragma once
// The rungs of workload "bank" that the paper describes (A. Hast, "Efficient convolution on multi-dimensional data,
// part 2", 2012), for devices.

#include "core/engine/variant.h"

namespace sscope {

// naive-array, naive-vector, unrolled.
void addBankRungs(VariantTable& variants, EngineKind kind);

}  // namespace sscope
