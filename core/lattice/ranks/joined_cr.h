#pragma once
// The conjugate residual on several engines of this machine at once, a part of the lattice on each: ranks that are
// threads.

#include <memory>
#include <span>
#include <string>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/lattice/workload/cr_plan.h"
#include "core/lattice/workload/cr_workload.h"

namespace sscope {

// As prepareJoinedDirac (joined_dirac.h). Traces are those of the first engine. Throws also Error(Unsupported) for an
// engine that cannot be one of several.
[[nodiscard]] std::unique_ptr<CrPlan> prepareJoinedCr(std::span<Engine* const> engines, const VariantTable& variants,
                                                      const std::string& variant, const CrWorkload& workload,
                                                      std::span<const double> weights, const PrepareOptions& options,
                                                      const Control& control);

// Whether the conjugate residual can iterate on these engines together: on those of the processor, and on devices by
// variants that have a plan for several (Variant::prepareTogether) and with a time slice for each.
[[nodiscard]] bool iteratesTogether(std::span<Engine* const> engines, const VariantTable& variants,
                                    const std::string& variant, const lattice::Lattice& lattice);

}  // namespace sscope
