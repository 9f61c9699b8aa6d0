#include "gpu/lattice/cr_variants.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "core/engine/typed_row.h"
#include "core/lattice/workload/lattice_precision.h"
#include "gpu/lattice/cr_plan.h"
#include "gpu/lattice/dirac_variants.h"
#include "gpu/lattice/joined_cr_plan.h"

namespace sscope {

namespace {

constexpr std::array<std::string_view, 8> kKernels{"dirac_fine", "cr_start", "cr_xscal",  "cr_xaxpy",
                                                   "cr_xnrm2",   "cr_dot",   "cr_reduce", "cr_scalars"};

std::string unsupported(const EngineInfo& engine, const CrWorkload& workload) {
  return diracUnsupported(engine, workload.field().lattice());
}

// Of a rung, or of an extra made from one.
using MakeProgram =
    std::function<CrProgram(const CrWorkload&, const DiracWorkload&, const OptionValues&, std::int64_t summed)>;

// How a row prepares one device and, where its fields are in planes, several.
void setPrepare(Variant& row, const MakeProgram& make, bool planes) {
  row.prepare = prepareFor<DeviceEngine, CrWorkload>([make, name = row.name](DeviceEngine& engine, const CrWorkload& cr,
                                                                             const PrepareOptions& options,
                                                                             const Control& control) {
    CrProgram program = make(cr, DiracWorkload(cr.sharedField(), cr.cr().wilson), options.values, 0);
    program.variant = name;
    return makeCrPlan(engine, cr, std::move(program), options, control);
  });
  if (!planes) return;
  row.prepareTogether = [make, name = row.name](std::span<Engine* const> engines, const Workload& workload,
                                                std::span<const double> weights, const PrepareOptions& options,
                                                const Control& control) -> std::unique_ptr<Plan> {
    const auto program = [&](const CrWorkload& part, const DiracWorkload& dirac, std::int64_t summed) {
      CrProgram one = make(part, dirac, options.values, summed);
      one.variant = name;
      return one;
    };
    return prepareCrOnDevices(engines, program, workloadAs<CrWorkload>(workload), weights, options, control);
  };
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
  row.unsupported = unsupportedFor<CrWorkload>(unsupported);
  // The operator in float32, and the best in float64 for true residuals.
  const MakeProgram make = [&rung, mixed](const CrWorkload& cr, const DiracWorkload& dirac, const OptionValues&,
                                          std::int64_t summed) {
    std::optional<DiracDesign> exact;
    if (mixed) exact = diracRungs().front().design(dirac, {});
    return makeCrProgram(cr, rung.design(dirac, {}), std::move(exact), summed);
  };
  setPrepare(row, make, true);
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
    row.unsupported = unsupportedFor<CrWorkload>(unsupported);
    const MakeProgram make = [&rung](const CrWorkload& cr, const DiracWorkload& dirac, const OptionValues& values,
                                     std::int64_t summed) {
      return makeCrProgram(cr, rung.design(dirac, values), {}, summed);
    };
    setPrepare(row, make, rung.planes);
    variants.add(std::move(row));
  }
  addExtra(variants, kind, "tuned-f32", false);
  addExtra(variants, kind, "tuned-mixed", true);
}

}  // namespace sscope
