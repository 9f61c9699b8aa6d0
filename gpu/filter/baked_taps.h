#pragma once
// Taps for kernels: as numbers in the source, or as rows in a table.

#include <cstdint>
#include <string>
#include <vector>

#include "core/filter/workload/filter_workload.h"

namespace sscope {

// A list for BAKED_TAPS, x fastest.
[[nodiscard]] std::string bakedTaps(const DenseTaps& taps, Precision precision);

// The taps of filters first .. first + count - 1, all of one size: the filter fastest, then x; every row of taps is
// padded to whole vectors.
[[nodiscard]] std::vector<double> rowsOfTaps(const FilterWorkload& workload, std::size_t first, std::size_t count,
                                             std::int64_t vector);

}  // namespace sscope
