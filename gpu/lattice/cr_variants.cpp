#include "gpu/lattice/cr_variants.h"

#include <array>
#include <string_view>

#include "core/base/error.h"
#include "gpu/lattice/cr_plan.h"
#include "gpu/lattice/dirac_variants.h"

namespace sscope {

namespace {

constexpr const char* kFused =
    " The solver around it walks the fields three times an iteration: (r|r) is summed up where r is updated, (r|Ar) "
    "where the operator has just written Ar, and (Ap|Ap) with the new directions, when the solution is updated, too.";
constexpr const char* kPlain =
    " Around it algorithm 1 an operation a launch (section IV.2 and IV.3): xscal and xaxpy with a work item a complex "
    "number, xnrm2 and the dot product as trees in two launches. Scalars stay on the device; no iteration waits for "
    "the "
    "host.";

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

}  // namespace

void addCrVariants(VariantTable& variants, EngineKind kind) {
  for (const DiracRung& rung : diracRungs()) {
    if (rung.lower) continue;  // the solver's extras are not the operator's alone
    Variant row = diracRow(rung, kind);
    const bool fused = row.source == "Stencilscope";
    row.workload = "cr";
    row.explanation += fused ? kFused : kPlain;
    if (fused) row.kernelFile = "cr_operator.kernel";
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
}

}  // namespace sscope
