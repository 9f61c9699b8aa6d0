#pragma once
// What plans on several engines of this machine share: threads for each, and one report of all.

#include <span>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/workload/workload.h"

namespace sscope::lattice {

// Parts of the lattice in proportion to weights, or equal ones where there are none. Throws as latticeParts().
[[nodiscard]] std::vector<LatticePart> partsFor(const Lattice& whole, std::size_t engines,
                                                std::span<const double> weights);
// options for each, of which those with threads share options.threads.
[[nodiscard]] std::vector<PrepareOptions> sharesOf(std::span<Engine* const> engines, const PrepareOptions& options);
// Of reports of the same time; work is the whole's. At least one.
[[nodiscard]] RunReport joinedReport(std::span<const RunReport> reports, const Work& work);

}  // namespace sscope::lattice
