#pragma once
// All engines of this machine with all their variants; the memory of devices starts out poisoned.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/cpu/run/cpu_engine.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "gpu/gpu_engines.h"
#include "tests/support/watched_device.h"

namespace sscope::test {

[[nodiscard]] inline bool anyDevice(const std::vector<Engine*>& engines) {
  return std::ranges::any_of(engines, [](const Engine* engine) { return engine->info().isDevice(); });
}
// The reason for a skip where there is none.
inline constexpr const char* kNoDevice = "no device was found, or chosen";

// Created for each test case, because a device must not outlive main().
struct TestMachine {
  EngineSet engines;
  VariantTable variants;
  TestMachine() {
    addCpuEngines(engines);
    addCpuVariants(variants);
    addGpuEngines(engines, watched);
    addGpuVariants(variants);
  }

  // The available ones. SSCOPE_TEST_ENGINES, the beginning of an id ("cuda"), leaves the others out, for slow tools
  // that look at one kind only.
  [[nodiscard]] std::vector<Engine*> chosen() const {
    std::vector<Engine*> all = engines.available();
    if (const char* wanted = std::getenv("SSCOPE_TEST_ENGINES"))
      std::erase_if(all, [&](const Engine* one) { return !one->info().id.starts_with(wanted); });
    return all;
  }
};

}  // namespace sscope::test
