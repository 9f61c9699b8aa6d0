#pragma once
// Taps for kernels: as numbers in the source, or as rows in a table.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/filter/workload/filter_workload.h"

namespace sscope {

// A list for BAKED_TAPS.
[[nodiscard]] std::string listOfTaps(std::span<const double> taps, Precision precision);
// The same of a box, x fastest.
[[nodiscard]] std::string bakedTaps(const DenseTaps& taps, Precision precision);

// The taps of filters first .. first + count - 1, all of one size: the filter fastest, then x; every row of taps is
// padded to whole vectors.
[[nodiscard]] std::vector<double> rowsOfTaps(const FilterWorkload& workload, std::size_t first, std::size_t count,
                                             std::int64_t vector);
// The same for one filter.
[[nodiscard]] std::vector<double> rowsOfTaps(const DenseTaps& taps, std::int64_t vector);

}  // namespace sscope
