#include "gpu/filter/filter_variants.h"

#include <algorithm>

#include "gpu/filter/filter_plan.h"

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

template <class Takes>
std::string unlessAny(const FilterWorkload& workload, Takes takes, const std::string& reason) {
  return std::any_of(workload.operators().begin(), workload.operators().end(), takes) ? std::string() : reason;
}

std::string unsupported(FilterVariant variant, const EngineInfo& engine, const Workload& workload) {
  const auto* filter = dynamic_cast<const FilterWorkload*>(&workload);
  if (filter == nullptr) return "it is not a filter";
  if (filter->precision() == Precision::f64 && !engine.fp64)
    return "this device has no double precision, which these element types need";
  switch (variant) {
    case FilterVariant::Separable: return whyNotSeparable(*filter);
    case FilterVariant::Dense:
    case FilterVariant::DenseBaked: {
      const std::string none = unlessAny(
          *filter, [](const Operator& op) { return op.stencil() != nullptr; }, "no filter of the bank is linear");
      if (!none.empty()) return none;
      return variant == FilterVariant::Dense ? denseRestriction(*filter, true) : tooManyBaked(*filter);
    }
    case FilterVariant::Selection: {
      const std::string none = unlessAny(
          *filter, selectable,
          "no filter of the bank is the median of at most " + std::to_string(kMostSelectedOnDevices) + " values");
      if (!none.empty()) return none;
      break;
    }
    case FilterVariant::Bisection: {
      const std::string none = unlessAny(
          *filter, [](const Operator& op) { return op.window() != nullptr; }, "no filter of the bank is a median");
      if (!none.empty()) return none;
      break;
    }
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
  addRow(variants, kind, FilterVariant::Selection, "selection");
  addRow(variants, kind, FilterVariant::Bisection, "bisection");
}

}  // namespace sscope
