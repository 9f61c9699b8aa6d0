#pragma once
// Counts of values in equal bins.

#include <cstdint>
#include <vector>

#include "core/base/control.h"
#include "core/volume/volume.h"

namespace sscope {

struct Histogram {
  double low = 0, high = 0;          // the bins cover [low, high]; integers: bins are centered on whole values
  double least = 0, most = 0;        // of the counted values
  bool whole = false;                // they are integers
  std::vector<std::int64_t> counts;  // empty: nothing counted
  std::int64_t nonFinite = 0;        // left out
  // The lower edge of a bin, or the upper one of the bin before; 0 <= bin <= counts.size(), not empty.
  [[nodiscard]] double edge(std::int64_t bin) const;
  // Where a value lies: 0 at `low`, 1 at `high`, linear between and beyond, whatever their size; not empty.
  [[nodiscard]] double position(double value) const;
};

// At most `bins` bins (integer types: a whole number of values per bin). component -1 counts all components.
// Throws Canceled.
[[nodiscard]] Histogram makeHistogram(const Volume& volume, int component, int bins, const Control& control);

}  // namespace sscope
