#pragma once
// How many elements of two results lie how far apart, over all powers of ten.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/base/control.h"
#include "core/volume/array_view.h"

namespace sscope::compare {

// Bins of absolute differences, four to a power of ten, over all that a double holds.
inline constexpr int kBinsPerDecade = 4;
inline constexpr int kLowestDecade = -324, kHighestDecade = 309;
inline constexpr std::size_t kDifferenceBins =
    static_cast<std::size_t>(kHighestDecade - kLowestDecade) * kBinsPerDecade;

struct DifferenceHistogram {
  std::array<std::int64_t, kDifferenceBins> counts{};
  std::int64_t equal = 0;      // the same number, or NaN in both
  std::int64_t nonFinite = 0;  // NaN or Inf in one and not the same in the other

  // The bin of a difference, which is not 0; and where a bin begins.
  [[nodiscard]] static std::size_t binOf(double difference);
  [[nodiscard]] static double lowerEdge(std::size_t bin);
  // From the first bin that is not empty to the one after the last; equal where all are empty.
  struct Range {
    std::size_t begin = 0, end = 0;
  };
  [[nodiscard]] Range filled() const;
};

// Views of one type and the same extents (else Error(Usage)). Throws Canceled within 100 ms.
[[nodiscard]] DifferenceHistogram differenceHistogram(const ConstArrayView& first, const ConstArrayView& second,
                                                      const Control& control);

// "from,to,elements", one line per bin that is not empty; those that are equal from 0 to 0.
[[nodiscard]] std::string toCsv(const DifferenceHistogram& histogram);

}  // namespace sscope::compare
