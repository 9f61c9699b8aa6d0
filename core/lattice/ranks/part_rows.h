#pragma once
// The rows of sites along x of a part: those that need no halo, and those that do.

#include <cstdint>
#include <vector>

#include "core/lattice/ranks/lattice_part.h"

namespace sscope::lattice {

// Rows [begin, end) of the extended lattice, and where the first one's sites are in the part: its time slice, and the
// site in that.
struct PartRows {
  std::int64_t begin = 0, end = 0, slice = 0, site = 0;
};

// Inner rows have all of their neighbors in the part.
struct SortedRows {
  std::vector<PartRows> inner, outer;
};
[[nodiscard]] SortedRows sortedRows(const LatticePart& part);

}  // namespace sscope::lattice
