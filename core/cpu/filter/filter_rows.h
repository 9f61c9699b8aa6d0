#pragma once

#include "core/engine/variant.h"

namespace sscope::cpu {

// The ways to compute a bank of filters on the processor, "auto" first.
void addFilterRows(VariantTable& variants);

}  // namespace sscope::cpu
