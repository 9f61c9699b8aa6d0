#include "tests/cpu/cpu_support.h"

#include <cmath>

namespace sscope::test {

std::vector<ConstArrayView> CpuRun::views() const {
  std::vector<ConstArrayView> result;
  for (const Volume& volume : outputs) result.push_back(volume.view());
  return result;
}

CpuRun runOnCpu(const CpuMachine& machine, const std::string& engine, const std::string& variant,
                const Workload& workload, const Volume& input, int threads, const Control& control) {
  CpuRun run;
  PrepareOptions options;
  options.threads = threads;
  const auto plan = machine.variants.prepare(machine.engines.at(engine), workload, variant, options, control);
  std::vector<ArrayView> views;
  for (const ArraySpec& spec : workload.outputs()) {
    run.outputs.emplace_back(
        VolumeShape{spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])}, spec.type);
    views.push_back(run.outputs.back().view());
    poison(views.back());
  }
  const ConstArrayView view = input.view();
  run.report = plan->run({{&view, 1}, 0}, views, control);
  run.scratchBytes = plan->scratchBytes();
  return run;
}

Verification check(const Workload& workload, const Volume& input, const CpuRun& run) {
  const ConstArrayView view = input.view();
  const auto outputs = run.views();
  return verify(workload, {&view, 1}, outputs, {}, {});
}

std::string wrongIn(const Workload& workload, const Volume& input, const CpuRun& run) {
  const ConstArrayView view = input.view();
  const auto outputs = run.views();
  VerifyOptions everywhere;
  everywhere.fullBudgetSeconds = 1e9;
  return verify(workload, {&view, 1}, outputs, everywhere, {}).failure;
}

namespace {
double weight(std::int64_t i) { return std::sin(1.3 * static_cast<double>(i) + 0.4) + 0.1; }
}  // namespace

Stencil denseFilter(std::array<std::int64_t, 3> size, std::array<std::int64_t, 3> anchor) {
  Stencil filter;
  filter.dense.size = size;
  filter.dense.anchor = anchor;
  filter.dense.weights.clear();
  for (std::int64_t i = 0; i < filter.dense.count(); ++i) filter.dense.weights.push_back(weight(i));
  return filter;
}

Stencil separableFilter(std::array<std::int64_t, 3> size, std::array<std::int64_t, 3> anchor) {
  Stencil filter;
  SeparableTerm term;
  for (std::size_t a = 0; a < 3; ++a) {
    term.axis[a].weights.clear();
    term.axis[a].anchor = anchor[a];
    for (std::int64_t i = 0; i < size[a]; ++i) term.axis[a].weights.push_back(weight(i + static_cast<std::int64_t>(a)));
  }
  filter.terms = {term};
  return filter;
}

}  // namespace sscope::test
