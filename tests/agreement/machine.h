#pragma once
// All engines of this machine with all their variants; the memory of devices starts out poisoned.

#include "core/cpu/cpu_engines.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "gpu/gpu_engines.h"
#include "tests/support/watched_device.h"

namespace sscope::test {

// Opened for each test case and closed with it: a device must not outlive main().
struct Machine {
  EngineSet engines;
  VariantTable variants;
  Machine() {
    addCpuEngines(engines);
    addCpuVariants(variants);
    addGpuEngines(engines, watched);
    addGpuVariants(variants);
  }
};

}  // namespace sscope::test
