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

void addRow(VariantTable& variants, EngineKind kind, FilterVariant variant, const char* name, const char* explanation) {
  Variant row;
  row.workload = "filter";
  row.name = name;
  row.kind = kind;
  row.explanation = explanation;
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
  addRow(variants, kind, FilterVariant::Auto, "auto",
         "Chooses for each filter between separable passes and one dense sum by counting multiply-adds and passes over "
         "memory; filters whose taps turn out to be a product of lines run as such.");
  addRow(variants, kind, FilterVariant::Separable, "separable",
         "One pass along each axis that the filter touches, z first, with intermediate results on the device; sums of "
         "several products are added up. The taps lie in a buffer and their number is an argument, so that nothing is "
         "compiled anew while a slider moves.");
  addRow(
      variants, kind, FilterVariant::Dense, "dense",
      "Every tap at once, on a copy of the input that holds the boundary. Each work item computes a block of rows, so "
      "that a loaded element serves several outputs. Sizes are compiled in, taps lie in a buffer: new taps of the same "
      "size need no compiling.");
  addRow(variants, kind, FilterVariant::DenseBaked, "dense-baked",
         "As dense, with the taps written into the kernel as numbers and the loops unrolled; compiled anew for every "
         "change of a tap.");
}

}  // namespace sscope
