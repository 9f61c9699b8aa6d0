#include "core/cpu/wavelet/dwt/dwt_rows.h"

#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/wavelet/dwt/dwt_plan.h"
#include "core/engine/typed_row.h"

namespace sscope::cpu {

namespace {

Variant rowOf(std::string name, DwtMethod method, std::string source) {
  Variant row;
  row.workload = "dwt";
  row.name = std::move(name);
  row.kind = EngineKind::Cpu;
  row.source = std::move(source);
  row.unsupported = unsupportedFor<DwtWorkload>();
  row.prepare = prepareFor<CpuEngine, DwtWorkload>(
      [method](CpuEngine& engine, const DwtWorkload& workload, const PrepareOptions& options, const Control&) {
        return prepareDwt(engine.info(), engine.kernels().f32.level, workload, method, options);
      });
  return row;
}

}  // namespace

void addDwtRows(VariantTable& variants) {
  variants.add(rowOf("tuned", DwtMethod::Tuned, "Stencilscope"));
  variants.add(
      rowOf("simple", DwtMethod::Simple, "S. Mallat, A theory for multiresolution signal decomposition, 1989"));
}

}  // namespace sscope::cpu
