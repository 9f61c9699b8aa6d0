#pragma once

#include "core/cpu/run/cpu_engine.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"

namespace sscope::test {

// The processor's engines with all their variants.
struct Processor {
  EngineSet engines;
  VariantTable variants;
  Processor() {
    addCpuEngines(engines);
    addCpuVariants(variants);
  }
};

}  // namespace sscope::test
