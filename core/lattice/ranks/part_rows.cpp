#include "core/lattice/ranks/part_rows.h"

#include <algorithm>

namespace sscope::lattice {

SortedRows sortedRows(const LatticePart& part) {
  const std::int64_t nx = part.own.extent(0), ny = part.own.extent(1), nz = part.own.extent(2);
  const int nt = part.own.extent(3);
  SortedRows sorted;
  int t = 0;
  for (const SiteRun& run : part.slices()) {
    const std::int64_t first = run.extended / nx;
    // Planes [z, end) of this time slice.
    const auto add = [&](std::vector<PartRows>& rows, std::int64_t z, std::int64_t end) {
      if (end > z) rows.push_back({first + ny * z, first + ny * end, t, nx * ny * z});
    };
    const bool edge = part.cut[3] && (t == 0 || t == nt - 1);
    if (edge) {
      add(sorted.outer, 0, nz);
    } else if (part.cut[2]) {
      add(sorted.outer, 0, 1);
      add(sorted.inner, 1, nz - 1);
      add(sorted.outer, std::max<std::int64_t>(1, nz - 1), nz);
    } else {
      add(sorted.inner, 0, nz);
    }
    ++t;
  }
  return sorted;
}

}  // namespace sscope::lattice
