#pragma once
// Running the filter workload on CPU engines in tests.

#include <memory>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/workload/filter_workload.h"
#include "core/measure/verify.h"
#include "core/volume/volume.h"
#include "tests/support/cpu_machine.h"

namespace sscope::test {

struct CpuRun {
  std::vector<Volume> outputs;
  RunReport report;
  std::int64_t scratchBytes = 0;

  [[nodiscard]] std::vector<ConstArrayView> views() const;
};

// Runs into poisoned outputs.
[[nodiscard]] CpuRun runOnCpu(const CpuMachine& machine, const std::string& engine, const std::string& variant,
                              const Workload& workload, const Volume& input, int threads = 2,
                              const Control& control = {});

// Compares a run with the reference.
[[nodiscard]] Verification check(const Workload& workload, const Volume& input, const CpuRun& run);
// The same everywhere, however long it takes. What is wrong; empty: nothing.
[[nodiscard]] std::string wrongIn(const Workload& workload, const Volume& input, const CpuRun& run);

// Dense taps of the given size with deterministic, asymmetric weights of both signs.
[[nodiscard]] Stencil denseFilter(std::array<std::int64_t, 3> size, std::array<std::int64_t, 3> anchor);
// One separable term of the given sizes, likewise.
[[nodiscard]] Stencil separableFilter(std::array<std::int64_t, 3> size, std::array<std::int64_t, 3> anchor);

}  // namespace sscope::test
