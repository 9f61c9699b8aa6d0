#pragma once
// The range of values, and counts of them in equal bins.

#include <cstdint>
#include <vector>

#include "core/base/control.h"
#include "core/volume/volume.h"

namespace sscope {

// The range of the finite values.
struct ValueRange {
  double least = 0, most = 0;  // 0 if there are none
  std::int64_t counted = 0;
  std::int64_t nonFinite = 0;  // left out
  bool operator==(const ValueRange&) const = default;
};

// `count` equal bins, of which the first begins at `low` and the last ends at `high`.
struct Bins {
  double low = 0, high = 1;
  std::int64_t count = 1;
  bool whole = false;  // integers: each bin holds a whole number of them
};

// The position of a value, (value * factor - low) / extent: 0 at the low end and 1 at the high one. Differences of the
// largest doubles and inverses of the smallest overflow, so values are scaled to the middle of the exponents first,
// which is exact.
struct BinScale {
  explicit BinScale(const Bins& bins);
  double factor, low, extent;
  [[nodiscard]] double position(double value) const { return (value * factor - low) / extent; }
};

struct Histogram {
  double low = 0, high = 0;          // the bins cover [low, high]; integers: bins are centered on whole values
  double least = 0, most = 0;        // of the counted values
  bool whole = false;                // they are integers
  std::vector<std::int64_t> counts;  // empty: nothing counted
  std::int64_t nonFinite = 0;        // left out
  // The lower edge of a bin, or the upper one of the bin before; 0 <= bin <= counts.size(); not for an empty histogram.
  [[nodiscard]] double edge(std::int64_t bin) const;
  // The position of a value: 0 at `low`, 1 at `high`, linear between and beyond; for values of any magnitude. Not for
  // an empty histogram.
  [[nodiscard]] double position(double value) const;
};

// component -1: of all components. Throw Canceled.
[[nodiscard]] ValueRange rangeOf(const ConstArrayView& view, int component, const Control& control);
// The finite values in each bin; those beyond the ends count in the first and the last.
[[nodiscard]] std::vector<std::int64_t> countsOf(const ConstArrayView& view, int component, const Bins& bins,
                                                 const Control& control);

// At most `most` bins for values of this range (integer types: a whole number of values per bin); there are some.
[[nodiscard]] Bins binsFor(const ValueRange& range, ElementType type, int most);
[[nodiscard]] Histogram histogramOf(const ValueRange& range, const Bins& bins, std::vector<std::int64_t> counts);

// All these steps for a whole volume.
[[nodiscard]] Histogram makeHistogram(const Volume& volume, int component, int bins, const Control& control);

}  // namespace sscope
