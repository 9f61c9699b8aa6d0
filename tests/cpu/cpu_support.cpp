#include "tests/cpu/cpu_support.h"

namespace sscope::test {

const CpuMachine& cpuMachine() {
  static const CpuMachine machine;
  return machine;
}

std::unique_ptr<Plan> planOnCpu(const std::string& engine, const std::string& variant, const Workload& workload,
                                int threads, const Control& control) {
  PrepareOptions options;
  options.threads = threads;
  return cpuMachine().variants.prepare(cpuMachine().engines.at(engine), workload, variant, options, control);
}

PlanRun runOnCpu(const std::string& engine, const std::string& variant, const Workload& workload, const Volume& input,
                 int threads, const Control& control) {
  return runOnce(*planOnCpu(engine, variant, workload, threads, control), workload, input, 0, control);
}

}  // namespace sscope::test
