#include "gpu/filter/rows.h"

#include "core/engine/cost_model.h"
#include "gpu/filter/formula_plan.h"

namespace sscope {

namespace {

std::string whyNot(const EngineInfo& engine, const Workload& workload) {
  const auto* formula = dynamic_cast<const FormulaWorkload*>(&workload);
  if (formula == nullptr) return "it is not a formula";
  if (formula->precision() == Precision::f64 && !engine.fp64)
    return "this device has no double precision, which this formula or its element types need";
  return formulaRestriction(*formula);
}

}  // namespace

void addFormulaVariants(VariantTable& variants, EngineKind kind) {
  Variant row;
  row.workload = "formula";
  row.name = "kernel";
  row.kind = kind;
  row.source = "Stencilscope";
  row.kernelFile = "formula_functions.h";
  row.unsupported = whyNot;
  row.prepare = [](Engine& engine, const Workload& workload, const PrepareOptions& options, const Control& control) {
    return makeFormulaPlan(dynamic_cast<DeviceEngine&>(engine), dynamic_cast<const FormulaWorkload&>(workload), options,
                           control);
  };
  row.predict = [](const Engine& engine, const Workload& workload, const PrepareOptions& options) {
    const Work work = workload.work();
    MethodWork method;
    method.multiplyAdds = work.operations;
    return CostModel(engine.info(), workload.precision(), 0, options.ceilings).seconds(method, work.bytes);
  };
  variants.add(std::move(row));
}

}  // namespace sscope
