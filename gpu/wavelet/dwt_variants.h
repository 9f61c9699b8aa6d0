#pragma once
// The rows of workload "dwt" for devices.

#include "core/engine/variant.h"

namespace sscope {

void addDwtVariants(VariantTable& variants, EngineKind kind);

}  // namespace sscope
