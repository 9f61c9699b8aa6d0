#include "gpu/filter/filter_variants.h"

#include "gpu/filter/filter_plan.h"

namespace sscope {

namespace {

constexpr std::int64_t kMostBakedTaps = 4096;  // longer sources take compilers too long

std::string tooManyBaked(const FilterWorkload& workload) {
  for (const Filter& filter : workload.filters())
    if (filter.denseTaps() > kMostBakedTaps)
      return filter.name + " has " + std::to_string(filter.denseTaps()) + " taps when written out; more than " +
             std::to_string(kMostBakedTaps) + " are not written into a kernel";
  return {};
}

std::string unsupported(FilterVariant variant, const EngineInfo& engine, const Workload& workload) {
  const auto* filter = dynamic_cast<const FilterWorkload*>(&workload);
  if (filter == nullptr) return "it is not a filter";
  if (filter->precision() == Precision::f64 && !engine.fp64)
    return "this device has no double precision, which these element types need";
  switch (variant) {
    case FilterVariant::Separable: return whyNotSeparable(*filter);
    case FilterVariant::Dense: return denseRestriction(*filter, true);
    case FilterVariant::DenseBaked: return tooManyBaked(*filter);
    case FilterVariant::Auto: break;
  }
  return denseRestriction(*filter, false);
}

void addRow(VariantTable& variants, EngineKind kind, FilterVariant variant, const char* name) {
  Variant row;
  row.workload = "filter";
  row.name = name;
  row.kind = kind;
  row.source = "Stencilscope";
  row.unsupported = [variant](const EngineInfo& engine, const Workload& workload) {
    return unsupported(variant, engine, workload);
  };
  row.prepare = [variant](Engine& engine, const Workload& workload, const PrepareOptions& options,
                          const Control& control) {
    return makeFilterPlan(dynamic_cast<DeviceEngine&>(engine), dynamic_cast<const FilterWorkload&>(workload), variant,
                          options, control);
  };
  variants.add(std::move(row));
}

}  // namespace

void addFilterVariants(VariantTable& variants, EngineKind kind) {
  addRow(variants, kind, FilterVariant::Auto, "auto");
  addRow(variants, kind, FilterVariant::Separable, "separable");
  addRow(variants, kind, FilterVariant::Dense, "dense");
  addRow(variants, kind, FilterVariant::DenseBaked, "dense-baked");
}

}  // namespace sscope
