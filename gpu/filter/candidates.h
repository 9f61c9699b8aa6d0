#pragma once
// Values of the tuned rows' options that are worth timing (Variant::candidates): {} first, then the most promising,
// since a search may have time for only a few.

#include <vector>

#include "core/filter/workload/filter_workload.h"
#include "core/options/option.h"

namespace sscope {

// Filters per launch.
[[nodiscard]] std::vector<OptionValues> tunedBankCandidates(const FilterWorkload& workload);
// Several walk lengths, and tiles, for filters whose taps fit into a walk's code.
[[nodiscard]] std::vector<OptionValues> tunedConv2dCandidates(const FilterWorkload& workload);
// Rows and columns of a block.
[[nodiscard]] std::vector<OptionValues> tunedSoupCandidates(const FilterWorkload& workload);

}  // namespace sscope
