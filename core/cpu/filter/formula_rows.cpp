#include "core/cpu/filter/rows.h"

#include "core/cpu/filter/formula_plan.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/engine/typed_row.h"

namespace sscope::cpu {

void addFormulaRows(VariantTable& variants) {
  Variant row;
  row.workload = "formula";
  row.name = "rows";
  row.kind = EngineKind::Cpu;
  row.source = "Stencilscope";
  row.unsupported = unsupportedFor<FormulaWorkload>();
  row.prepare = prepareFor<CpuEngine, FormulaWorkload>(
      [](CpuEngine& engine, const FormulaWorkload& workload, const PrepareOptions& options, const Control&) {
        return prepareFormula(engine.info(), engine.kernels(), workload, options);
      });
  row.predict = predictFor<CpuEngine, FormulaWorkload>(
      [](const CpuEngine& engine, const FormulaWorkload& workload, const PrepareOptions& options) {
        return predictFormula(engine.info(), workload, options);
      });
  variants.add(std::move(row));
}

}  // namespace sscope::cpu
