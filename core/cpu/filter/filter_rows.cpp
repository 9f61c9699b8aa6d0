#include "core/cpu/filter/rows.h"

#include "core/cpu/filter/filter_plan.h"
#include "core/cpu/filter/methods.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/engine/typed_row.h"

namespace sscope::cpu {

namespace {

Variant filterRow(std::string name, MethodRequest request) {
  Variant row;
  row.workload = "filter";
  row.name = std::move(name);
  row.kind = EngineKind::Cpu;
  row.source = "Stencilscope";
  // What methods take is the same on every level.
  row.unsupported = unsupportedFor<FilterWorkload>([request](const EngineInfo&, const FilterWorkload& workload) {
    return methodRestriction(workload, filterMethods(SimdLevel::Scalar), request);
  });
  row.prepare = prepareFor<CpuEngine, FilterWorkload>(
      [request](CpuEngine& engine, const FilterWorkload& workload, const PrepareOptions& options, const Control&) {
        return prepareFilter(engine.info(), engine.kernels(), workload, request, options);
      });
  row.predict = predictFor<CpuEngine, FilterWorkload>(
      [request](const CpuEngine& engine, const FilterWorkload& workload, const PrepareOptions& options) {
        return predictFilter(engine.info(), engine.kernels(), workload, request, options);
      });
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
