#include "core/engine/typed_row.h"
#include "gpu/filter/rows.h"

#include "core/engine/cost_model.h"
#include "gpu/filter/formula_plan.h"

namespace sscope {

namespace {

std::string whyNot(const EngineInfo& engine, const FormulaWorkload& workload) {
  if (workload.precision() == Precision::f64 && !engine.fp64)
    return "this device has no double precision, which this formula or its element types need";
  return formulaRestriction(workload);
}

}  // namespace

void addFormulaVariants(VariantTable& variants, EngineKind kind) {
  Variant row;
  row.workload = "formula";
  row.name = "kernel";
  row.kind = kind;
  row.source = "Stencilscope";
  row.kernelFile = "formula_functions.h";
  row.unsupported = unsupportedFor<FormulaWorkload>(whyNot);
  row.prepare = prepareFor<DeviceEngine, FormulaWorkload>(makeFormulaPlan);
  row.predict = [](const Engine& engine, const Workload& workload, const PrepareOptions& options) {
    const Work work = workload.work();
    MethodWork method;
    method.multiplyAdds = work.operations;
    return CostModel(engine.info(), workload.precision(), 0, options.ceilings).seconds(method, work.bytes);
  };
  variants.add(std::move(row));
}

}  // namespace sscope
