#pragma once
// Shannon's entropy of the values in a window.

#include <cstdint>
#include <span>
#include <vector>

#include "core/filter/rank_window.h"
#include "core/volume/element_type.h"

namespace sscope {

// out(i) = log2 N - (1/N) sum_b n_b log2 n_b in bits (C. Shannon, A mathematical theory of communication, 1948), where
// n_b of the window's N values in(i + offset) lie in bin b. Bin b begins at low + b (high - low) / bins; the first also
// holds all values below it, and the last all above. NaN if the window holds a NaN. Components are processed
// separately.
struct EntropyWindow {
  RankWindow shape;            // the members; its rank is of no account
  std::int64_t bins = 256;     // 2..kMostEntropyBins
  double low = 0, high = 256;  // in units of the data, finite, low < high

  [[nodiscard]] std::int64_t count() const { return shape.count(); }
  bool operator==(const EntropyWindow&) const = default;
};

inline constexpr std::int64_t kMostEntropyBins = 256;

// The sizes of medianWindow. Throws Error(Usage) for an empty range.
[[nodiscard]] EntropyWindow entropyWindow(WindowShape shape, std::int64_t size, int dimensions, std::int64_t bins,
                                          double low, double high);

// Where the bins but the first begin, ascending.
[[nodiscard]] std::vector<double> binEdges(const EntropyWindow& window);
// The number of edges that the value has reached: its bin.
[[nodiscard]] std::int64_t binOf(std::span<const double> edges, double value);

// The same for engines, which compare integers: a value is in the bin whose number is that of thresholds that are at
// most its key. Keys of integers are the integers; those of f32 and f64 their bits, with the order of negative numbers
// reversed, and the last of their thresholds is that of NaN, whose bin is one more than there are. Fewer thresholds
// where the type ends before the bins do.
[[nodiscard]] std::vector<std::int64_t> binThresholds(const EntropyWindow& window, ElementType ordered);

// So that sums are the same in any order, n log2 n is counted in units of 2^-40 bits: rounding 256 of them is off by
// less than 2^-32 / N bits. By how much the sum grows when a bin of n values, n = 0..N-1, gets one more.
[[nodiscard]] std::vector<std::int64_t> entropySteps(std::int64_t count);
inline constexpr double kEntropyUnit = 0x1p-40;
// The entropy of N values whose sum over the bins is `sum`; `total`: the sum if all are in one bin.
[[nodiscard]] constexpr double entropyOf(std::int64_t total, std::int64_t sum, std::int64_t count) {
  return static_cast<double>(total - sum) * kEntropyUnit / static_cast<double>(count);
}

// The most by which a value in another bin changes the entropy, in bits.
[[nodiscard]] double entropyPerValue(std::int64_t count);

}  // namespace sscope
