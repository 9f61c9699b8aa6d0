#include "core/lattice/ranks/lattice_joiners.h"

#include "core/lattice/ranks/joined_cr.h"
#include "core/lattice/ranks/joined_dirac.h"

namespace sscope {

namespace {

std::unique_ptr<Plan> joinDirac(std::span<Engine* const> engines, const VariantTable& variants,
                                const std::string& variant, const Workload& workload, std::span<const double> weights,
                                const PrepareOptions& options, const Control& control) {
  return prepareJoinedDirac(engines, variants, variant, workloadAs<DiracWorkload>(workload), weights, options, control);
}

std::unique_ptr<Plan> joinCr(std::span<Engine* const> engines, const VariantTable& variants, const std::string& variant,
                             const Workload& workload, std::span<const double> weights, const PrepareOptions& options,
                             const Control& control) {
  return prepareJoinedCr(engines, variants, variant, workloadAs<CrWorkload>(workload), weights, options, control);
}

}  // namespace

std::vector<Joiner> latticeJoiners() { return {{"dirac", joinDirac}, {"cr", joinCr}}; }

}  // namespace sscope
