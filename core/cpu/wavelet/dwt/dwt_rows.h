#pragma once
// The rows of workload "dwt" for the CPU engines.

#include "core/engine/variant.h"

namespace sscope::cpu {

void addDwtRows(VariantTable& variants);

}  // namespace sscope::cpu
