#pragma once
// Wilson's operator on several engines of this machine at once, a part of the lattice on each: ranks that are threads.

#include <memory>
#include <span>
#include <string>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/lattice/workload/dirac_workload.h"

namespace sscope {

// Engines may be named more than once. `weights`: as many as engines, of their shares of the time slices, or empty for
// equal ones. CPU engines share options.threads. Throws what preparing throws, and Error(Usage) when there are fewer
// planes than engines.
[[nodiscard]] std::unique_ptr<Plan> prepareJoinedDirac(std::span<Engine* const> engines, const VariantTable& variants,
                                                       const std::string& variant, const DiracWorkload& workload,
                                                       std::span<const double> weights, const PrepareOptions& options,
                                                       const Control& control);

}  // namespace sscope
