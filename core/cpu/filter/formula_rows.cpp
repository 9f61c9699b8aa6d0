#include "core/cpu/filter/rows.h"

#include "core/base/error.h"
#include "core/cpu/filter/formula_plan.h"
#include "core/cpu/run/cpu_engine.h"

namespace sscope::cpu {

namespace {

const FormulaWorkload& formulaWorkload(const Workload& workload) {
  const auto* formula = dynamic_cast<const FormulaWorkload*>(&workload);
  if (formula == nullptr) throw Error(ErrorKind::Unsupported, "this is not a formula", "choose another variant");
  return *formula;
}

const KernelTable& kernelsOfEngine(const Engine& engine) {
  const auto* cpuEngine = dynamic_cast<const CpuEngine*>(&engine);
  if (cpuEngine == nullptr)
    throw Error(ErrorKind::Usage, engine.info().id + " is not a CPU engine", "choose one of the CPU engines");
  return cpuEngine->kernels();
}

}  // namespace

void addFormulaRows(VariantTable& variants) {
  Variant row;
  row.workload = "formula";
  row.name = "rows";
  row.kind = EngineKind::Cpu;
  row.source = "Stencilscope";
  row.unsupported = [](const EngineInfo&, const Workload& workload) {
    static_cast<void>(formulaWorkload(workload));
    return std::string();
  };
  row.prepare = [](Engine& engine, const Workload& workload, const PrepareOptions& options,
                   const Control&) -> std::unique_ptr<Plan> {
    return prepareFormula(engine.info(), kernelsOfEngine(engine), formulaWorkload(workload), options);
  };
  row.predict = [](const Engine& engine, const Workload& workload, const PrepareOptions& options) {
    return predictFormula(engine.info(), formulaWorkload(workload), options);
  };
  variants.add(std::move(row));
}

}  // namespace sscope::cpu
