#pragma once
// Runs workloads on the processor's engines in tests.

#include <string>

#include "core/filter/workload/filter_workload.h"
#include "tests/support/cpu_machine.h"
#include "tests/support/runs.h"
#include "tests/support/taps.h"

namespace sscope::test {

// One for all tests of the program.
[[nodiscard]] const CpuMachine& cpuMachine();

[[nodiscard]] std::unique_ptr<Plan> planOnCpu(const std::string& engine, const std::string& variant,
                                              const Workload& workload, int threads = 2, const Control& control = {});
// Runs into poisoned outputs.
[[nodiscard]] PlanRun runOnCpu(const std::string& engine, const std::string& variant, const Workload& workload,
                               const Volume& input, int threads = 2, const Control& control = {});

}  // namespace sscope::test
