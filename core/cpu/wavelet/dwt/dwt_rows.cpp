#include "core/cpu/wavelet/dwt/dwt_rows.h"

#include "core/base/error.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/wavelet/dwt/dwt_plan.h"

namespace sscope::cpu {

namespace {

Variant rowOf(std::string name, DwtMethod method, std::string source) {
  Variant row;
  row.workload = "dwt";
  row.name = std::move(name);
  row.kind = EngineKind::Cpu;
  row.source = std::move(source);
  row.unsupported = [](const EngineInfo&, const Workload& workload) -> std::string {
    return dynamic_cast<const DwtWorkload*>(&workload) == nullptr ? "it transforms wavelets only" : "";
  };
  row.prepare = [method](Engine& engine, const Workload& workload, const PrepareOptions& options,
                         const Control&) -> std::unique_ptr<Plan> {
    const auto* cpu = dynamic_cast<const CpuEngine*>(&engine);
    if (cpu == nullptr)
      throw Error(ErrorKind::Usage, engine.info().id + " is not a CPU engine", "choose one of the CPU engines");
    return prepareDwt(engine.info(), cpu->kernels().f32.level, dynamic_cast<const DwtWorkload&>(workload), method,
                      options);
  };
  return row;
}

}  // namespace

void addDwtRows(VariantTable& variants) {
  variants.add(rowOf("tuned", DwtMethod::Tuned, "Stencilscope"));
  variants.add(
      rowOf("simple", DwtMethod::Simple, "S. Mallat, A theory for multiresolution signal decomposition, 1989"));
}

}  // namespace sscope::cpu
