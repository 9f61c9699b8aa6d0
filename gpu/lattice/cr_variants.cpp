#include "gpu/lattice/cr_variants.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/error.h"
#include "core/lattice/workload/lattice_precision.h"
#include "gpu/lattice/cr_plan.h"
#include "gpu/lattice/dirac_variants.h"

namespace sscope {

namespace {

constexpr std::array<std::string_view, 8> kKernels{"dirac_fine", "cr_start", "cr_xscal",  "cr_xaxpy",
                                                   "cr_xnrm2",   "cr_dot",   "cr_reduce", "cr_scalars"};

const CrWorkload& crOf(const Workload& workload) {
  const auto* cr = dynamic_cast<const CrWorkload*>(&workload);
  if (cr == nullptr)
    throw Error(ErrorKind::Unsupported, "this is not the conjugate residual", "choose another variant");
  return *cr;
}

std::string unsupported(const EngineInfo& engine, const Workload& workload) {
  const auto* cr = dynamic_cast<const CrWorkload*>(&workload);
  if (cr == nullptr) return "this is not the conjugate residual";
  return diracUnsupported(engine, cr->field().lattice());
}

// The program of an extra, from the operator in float32 and the best in float64.
CrProgram extraProgram(const CrWorkload& cr, const DiracRung& rung, bool mixed) {
  const DiracWorkload dirac(cr.sharedField(), cr.cr().wilson);
  std::optional<DiracDesign> exact;
  if (mixed) exact = diracRungs().front().design(dirac, {});
  return makeCrProgram(cr, rung.design(dirac, {}), std::move(exact));
}

void addExtra(VariantTable& variants, EngineKind kind, const char* name, bool mixed) {
  const auto& rungs = diracRungs();
  const DiracRung& rung = *std::find_if(rungs.begin(), rungs.end(),
                                        [](const DiracRung& one) { return one.name == std::string("tuned-f32"); });
  Variant row = diracRow(rung, kind);
  row.workload = "cr";
  row.name = name;
  row.kernelFile = mixed ? "cr_true_residual.kernel" : "cr_operator.kernel";
  row.lower = mixed ? crMixed() : crInF32();
  row.unsupported = unsupported;
  row.prepare = [&rung, name, mixed](Engine& engine, const Workload& workload, const PrepareOptions& options,
                                     const Control& control) -> std::unique_ptr<Plan> {
    const CrWorkload& cr = crOf(workload);
    CrProgram program = extraProgram(cr, rung, mixed);
    program.variant = name;
    return makeCrPlan(dynamic_cast<DeviceEngine&>(engine), cr, std::move(program), options, control);
  };
  variants.add(std::move(row));
}

}  // namespace

void addCrVariants(VariantTable& variants, EngineKind kind) {
  for (const DiracRung& rung : diracRungs()) {
    if (rung.lower) continue;
    Variant row = diracRow(rung, kind);
    row.workload = "cr";
    if (rung.planes) row.kernelFile = "cr_operator.kernel";
    if (!row.code.empty()) row.code = kernelCode(kernelFiles(), kKernels);
    row.unsupported = unsupported;
    row.prepare = [&rung](Engine& engine, const Workload& workload, const PrepareOptions& options,
                          const Control& control) -> std::unique_ptr<Plan> {
      const CrWorkload& cr = crOf(workload);
      const DiracWorkload dirac(cr.sharedField(), cr.cr().wilson);
      CrProgram program = makeCrProgram(cr, rung.design(dirac, options.values));
      program.variant = rung.name;
      return makeCrPlan(dynamic_cast<DeviceEngine&>(engine), cr, std::move(program), options, control);
    };
    variants.add(std::move(row));
  }
  addExtra(variants, kind, "tuned-f32", false);
  addExtra(variants, kind, "tuned-mixed", true);
}

}  // namespace sscope
