#include "gpu/filter/rows.h"

#include <algorithm>

#include "gpu/filter/filter_plan.h"
#include "gpu/filter/methods.h"

namespace sscope {

namespace {

constexpr std::int64_t kMostBakedTaps = 4096;  // longer sources take compilers too long

std::string tooManyBaked(const FilterWorkload& workload) {
  for (const Operator& op : workload.operators())
    if (op.stencil() != nullptr && op.taps() > kMostBakedTaps)
      return op.name + " has " + std::to_string(op.taps()) + " taps when written out; more than " +
             std::to_string(kMostBakedTaps) + " are not written into a kernel";
  return {};
}

// Integers in order need none, unless they are written as such.
bool needsDoubles(const FilterWorkload& workload) {
  const bool ordered =
      isInteger(workload.orderedAs()) && workload.outputType() != ElementType::f64 &&
      std::ranges::all_of(workload.operators(), [](const Operator& op) { return op.window() != nullptr; });
  return workload.precision() == Precision::f64 && !ordered;
}

// Formulas end only kernels that nobody asked to be without (endedFilterRestriction).
std::string endedUnsupported(MethodRequest request, const EngineInfo& engine, const EndedFilters& ended) {
  if (request && request != MethodKind::FusedBank) return "formulas are computed by themselves there";
  if (needsDoubles(ended.filters()) && !engine.fp64)
    return "this device has no double precision, which these element types need";
  return endedFilterRestriction(engine, ended, request);
}

std::string unsupported(MethodRequest request, const EngineInfo& engine, const Workload& workload) {
  if (const auto* ended = workloadIf<EndedFilters>(workload)) return endedUnsupported(request, engine, *ended);
  const auto* filter = workloadIf<FilterWorkload>(workload);
  if (filter == nullptr) return "it is not a filter";
  if (needsDoubles(*filter) && !engine.fp64)
    return "this device has no double precision, which these element types need";
  std::string why = request == MethodKind::Separable ? whyNotSeparable(*filter) : std::string();
  if (why.empty()) why = methodRestriction(*filter, deviceFilterMethods(engine.isProcessor, engine.fp64), request);
  if (why.empty() && request == MethodKind::DenseBaked) why = tooManyBaked(*filter);
  return why;
}

void addRow(VariantTable& variants, EngineKind kind, MethodRequest request) {
  Variant row;
  row.workload = "filter";
  row.name = request ? toString(*request) : "auto";
  row.kind = kind;
  row.source = "Stencilscope";
  row.unsupported = [request](const EngineInfo& engine, const Workload& workload) {
    return unsupported(request, engine, workload);
  };
  row.prepare = [request](Engine& engine, const Workload& workload, const PrepareOptions& options,
                          const Control& control) {
    auto& device = engineAs<DeviceEngine>(engine);
    if (const auto* ended = workloadIf<EndedFilters>(workload))
      return makeFilterPlan(device, *ended, request, options, control);
    return makeFilterPlan(device, workloadAs<FilterWorkload>(workload), request, options, control);
  };
  row.predict = [request](const Engine& engine, const Workload& workload, const PrepareOptions& options) {
    if (const auto* ended = workloadIf<EndedFilters>(workload))
      return predictFilter(engine.info(), *ended, request, options);
    return predictFilter(engine.info(), workloadAs<FilterWorkload>(workload), request, options);
  };
  variants.add(std::move(row));
}

}  // namespace

void addFilterVariants(VariantTable& variants, EngineKind kind) {
  addRow(variants, kind, {});
  for (const MethodKind one :
       {MethodKind::Separable, MethodKind::Fused, MethodKind::FusedBank, MethodKind::Dense, MethodKind::DenseBaked,
        MethodKind::LowRank, MethodKind::Fft, MethodKind::Weighted, MethodKind::Counting, MethodKind::Merging,
        MethodKind::Selection, MethodKind::Bisection, MethodKind::Lines})
    addRow(variants, kind, one);
}

}  // namespace sscope
