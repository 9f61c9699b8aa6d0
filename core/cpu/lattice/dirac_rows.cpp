#include "core/cpu/lattice/rows.h"

#include <functional>
#include <string>

#include "core/cpu/lattice/dirac_plans.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/run/threads.h"
#include "core/engine/typed_row.h"
#include "core/lattice/workload/lattice_precision.h"

namespace sscope::cpu {

namespace {

constexpr const char* kDiracPaper = "A. Cassagne et al., Portage d'un code de lattice QCD sur GPU (2013), section II.2";

using MakeDiracPlan = std::function<std::unique_ptr<Plan>(const DiracWorkload&, SimdLevel, int threads, RunReport)>;

// Plain rows are the same under every level.
enum class Threads : std::uint8_t { One, All };

Variant diracRowOf(std::string name, std::string source, Threads threads, bool plain, MakeDiracPlan make) {
  Variant row;
  row.workload = "dirac";
  row.name = std::move(name);
  row.kind = EngineKind::Cpu;
  if (plain) row.onlyOn = "cpu:scalar";
  row.source = std::move(source);
  row.unsupported = unsupportedFor<DiracWorkload>();
  row.prepare = prepareFor<CpuEngine, DiracWorkload>(
      [name = row.name, threads, make = std::move(make)](CpuEngine& engine, const DiracWorkload& workload,
                                                         const PrepareOptions& options, const Control&) {
        const Work work = workload.work();
        RunReport report;
        report.engine = engine.info().id;
        report.variant = name;
        report.operations = work.operations;
        report.bytes = work.bytes;
        return make(workload, engine.kernels().f64.level, threads == Threads::One ? 1 : threadCount(options.threads),
                    std::move(report));
      });
  return row;
}

MakeDiracPlan full(DiracRows (*kernel)(SimdLevel)) {
  return [kernel](const DiracWorkload& workload, SimdLevel level, int threads, RunReport report) {
    return makeDiracPlan(workload, kernel(level), threads, std::move(report));
  };
}

Variant diracExtraOf(std::string name, Precision computed, LowerPrecision lower) {
  Variant row =
      diracRowOf(std::move(name), "Stencilscope", Threads::All, false,
                 [computed](const DiracWorkload& workload, SimdLevel level, int threads, RunReport report) {
                   report.bytes /= 2;
                   return makeDiracPlan(workload, diracRowsOfF32(level, computed), threads, std::move(report));
                 });
  row.lower = std::move(lower);
  return row;
}

}  // namespace

void addDiracRows(VariantTable& variants) {
  const MakeDiracPlan plain = full([](SimdLevel) -> DiracRows { return scalarDiracRows; });
  variants.add(diracRowOf("tuned", "Stencilscope", Threads::All, false, full(diracRows)));
  variants.add(diracRowOf("threads", kDiracPaper, Threads::All, true, plain));
  variants.add(diracRowOf("scalar", kDiracPaper, Threads::One, true, plain));
  variants.add(diracExtraOf("tuned-f32", Precision::f32, diracComputedInF32()));
  variants.add(diracExtraOf("tuned-mixed", Precision::f64, diracStoredInF32()));
}

}  // namespace sscope::cpu
