#pragma once
// Values of the tuned rows' options that are worth timing (Variant::candidates): {} first, the likelier ones before the
// others, since a search may have time for a few only.

#include <vector>

#include "core/filter/workload/filter_workload.h"
#include "core/options/option.h"

namespace sscope {

// Filters a launch.
[[nodiscard]] std::vector<OptionValues> tunedBankCandidates(const FilterWorkload& workload);
// Walks of several lengths, and tiles, for filters whose taps fit into the code of a walk.
[[nodiscard]] std::vector<OptionValues> tunedConv2dCandidates(const FilterWorkload& workload);
// Rows and columns of a block.
[[nodiscard]] std::vector<OptionValues> tunedSoupCandidates(const FilterWorkload& workload);

}  // namespace sscope
