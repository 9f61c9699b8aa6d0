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
  [[nodiscard]] double binWidth() const {
    return counts.empty() ? 0 : (high - low) / static_cast<double>(counts.size());
  }
};

// At most `bins` bins (integer types: a whole number of values per bin). component -1 counts all components.
// Throws Canceled.
[[nodiscard]] Histogram makeHistogram(const Volume& volume, int component, int bins, const Control& control);

}  // namespace sscope
