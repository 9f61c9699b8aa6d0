#pragma once
// The CPU engines of this machine and their variants.

#include "core/cpu/run/cpu_engine.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"

namespace sscope::test {

struct CpuMachine {
  EngineSet engines;
  VariantTable variants;
  CpuMachine() {
    addCpuEngines(engines);
    addCpuVariants(variants);
  }
};

}  // namespace sscope::test
