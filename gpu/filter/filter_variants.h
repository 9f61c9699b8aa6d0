#pragma once
// The rows of workload "filter" for engines on devices.

#include "core/engine/variant.h"

namespace sscope {

void addFilterVariants(VariantTable& variants, EngineKind kind);

}  // namespace sscope
