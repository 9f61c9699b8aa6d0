#include "core/cpu/filter/rows.h"

#include "core/base/error.h"
#include "core/cpu/filter/filter_plan.h"
#include "core/cpu/filter/methods.h"
#include "core/cpu/run/cpu_engine.h"

namespace sscope::cpu {

namespace {

const FilterWorkload& filterWorkload(const Workload& workload) {
  const auto* filter = dynamic_cast<const FilterWorkload*>(&workload);
  if (filter == nullptr) throw Error(ErrorKind::Unsupported, "this is not a filter workload", "choose another variant");
  return *filter;
}

const KernelTable& kernelsOf(const Engine& engine) {
  const auto* cpuEngine = dynamic_cast<const CpuEngine*>(&engine);
  if (cpuEngine == nullptr)
    throw Error(ErrorKind::Usage, engine.info().id + " is not a CPU engine", "choose one of the CPU engines");
  return cpuEngine->kernels();
}

Variant filterRow(std::string name, MethodRequest request) {
  Variant row;
  row.workload = "filter";
  row.name = std::move(name);
  row.kind = EngineKind::Cpu;
  row.source = "Stencilscope";
  // What methods take is the same on every level.
  row.unsupported = [request](const EngineInfo&, const Workload& workload) {
    return methodRestriction(filterWorkload(workload), filterMethods(SimdLevel::Scalar), request);
  };
  row.prepare = [request](Engine& engine, const Workload& workload, const PrepareOptions& options,
                          const Control&) -> std::unique_ptr<Plan> {
    return prepareFilter(engine.info(), kernelsOf(engine), filterWorkload(workload), request, options);
  };
  row.predict = [request](const Engine& engine, const Workload& workload, const PrepareOptions& options) {
    return predictFilter(engine.info(), kernelsOf(engine), filterWorkload(workload), request, options);
  };
  return row;
}

}  // namespace

void addFilterRows(VariantTable& variants) {
  variants.add(filterRow("auto", std::nullopt));
  for (const MethodKind kind : {MethodKind::Separable, MethodKind::Dense, MethodKind::LowRank, MethodKind::Fft,
                                MethodKind::Weighted, MethodKind::Counting, MethodKind::Merging, MethodKind::Selection,
                                MethodKind::Bisection, MethodKind::Histogram, MethodKind::Lines})
    variants.add(filterRow(std::string(toString(kind)), kind));
}

}  // namespace sscope::cpu
