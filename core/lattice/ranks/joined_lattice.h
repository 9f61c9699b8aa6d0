#pragma once
// Workloads of the lattice on several engines of this machine at once, a part of the lattice on each: ranks that are
// threads.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/joined_plan.h"
#include "core/engine/variant.h"
#include "core/lattice/workload/cr_workload.h"
#include "core/lattice/workload/dirac_workload.h"

namespace sscope {

// Wilson's operator on several engines of this machine at once, a part of the lattice on each: ranks that are threads.

// Engines may be named more than once. `weights`: as many as engines, of their shares of the time slices, or empty for
// equal ones. CPU engines share options.threads. Throws what preparing throws, and Error(Usage) when there are fewer
// planes than engines.
[[nodiscard]] std::unique_ptr<Plan> prepareJoinedDirac(std::span<Engine* const> engines, const VariantTable& variants,
                                                       const std::string& variant, const DiracWorkload& workload,
                                                       std::span<const double> weights, const PrepareOptions& options,
                                                       const Control& control);

// The conjugate residual on several engines of this machine at once, a part of the lattice on each: ranks that are
// threads.

// As prepareJoinedDirac(). Traces are those of the first engine. Throws also Error(Unsupported) for an engine that
// cannot be one of several.
[[nodiscard]] std::unique_ptr<CrPlan> prepareJoinedCr(std::span<Engine* const> engines, const VariantTable& variants,
                                                      const std::string& variant, const CrWorkload& workload,
                                                      std::span<const double> weights, const PrepareOptions& options,
                                                      const Control& control);

// Whether the conjugate residual can iterate on these engines together: on engines of the processor, and on devices
// with a time slice for each and a variant that has a plan for several (Variant::prepareTogether).
[[nodiscard]] bool iteratesTogether(std::span<Engine* const> engines, const VariantTable& variants,
                                    const std::string& variant, const lattice::Lattice& lattice);

// The functions by which joined engines share the workloads of the lattice.
[[nodiscard]] std::vector<Joiner> latticeJoiners();

}  // namespace sscope
