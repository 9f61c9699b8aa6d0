#pragma once
// The inner loops of order statistics and entropies, compiled once per instruction set.

#include <array>
#include <cstdint>
#include <type_traits>

#include "core/base/control.h"
#include "core/cpu/run/simd_level.h"
#include "core/volume/element_type.h"

namespace sscope::cpu {

// Keys: signed integers, as wide as the elements that they stand for and in the same order. The largest key of a
// floating-point type stands for NaN.
template <class Key>
inline constexpr bool kIsRankKey = std::is_same_v<Key, std::int8_t> || std::is_same_v<Key, std::int16_t> ||
                                   std::is_same_v<Key, std::int32_t> || std::is_same_v<Key, std::int64_t>;

// Largest window for selection.
inline constexpr std::int64_t kMostSelected = 125;
// Most rows of a RowsJob's window.
inline constexpr std::int64_t kMostRows = 31;

// out[x] = the key of rank `rank` among in[x + offset[m]], m = 0..count-1.
template <class Key>
struct RankJob {
  const Key* in = nullptr;
  const std::int64_t* offset = nullptr;
  std::int64_t count = 1, rank = 0;
  std::int64_t outputs = 0;  // a multiple of the lanes
  Key* out = nullptr;
};

// Medians of boxes, rows from top to bottom. One row more than the boxes need is read, and one more written, where the
// number of rows is odd.
template <class Key>
struct MergeJob {
  const Key* in = nullptr;  // the first box's corner
  std::int64_t row = 0, plane = 0, tapDistance = 1;
  std::int64_t outputs = 0, rows = 0;  // of a row, a multiple of the lanes; rows
  Key* out = nullptr;
  std::int64_t outRow = 0;
};

// Any rank of boxes of bytes.
struct HistogramJob {
  const std::int8_t* in = nullptr;  // the first box's corner
  std::int64_t row = 0, plane = 0, tapDistance = 1;
  std::array<std::int64_t, 3> size{1, 1, 1};
  std::int64_t rank = 0;
  std::int64_t outputs = 0, rows = 0, planes = 0;  // of a row, of a plane; planes
  std::int8_t* out = nullptr;
  std::int64_t outRow = 0, outPlane = 0;
  std::uint16_t* counts = nullptr;   // histogramCounts() of them
  const Control* control = nullptr;  // is looked at after each plane of kHistogramOutputs
};
// Outputs of a row that are found together, so that their columns' counts stay in the cache.
inline constexpr std::int64_t kHistogramOutputs = 128;
[[nodiscard]] constexpr std::int64_t histogramCounts(std::int64_t along, std::int64_t tapDistance) {
  return 16 * 17 * (kHistogramOutputs + (along - 1) * tapDistance);
}

// In place: rows[y][x] = the largest of rows[y .. y + values - 1][x], for y < count.
template <class Key>
struct RowsJob {
  Key* rows = nullptr;
  std::int64_t stride = 0;
  std::int64_t outputs = 0;            // of a row, a multiple of the lanes
  std::int64_t count = 0, values = 2;  // at most kMostRows
};

template <class Key>
struct RankKernels {
  std::int64_t lanes = 1;
  // In place: elements of type `as` become keys; `reversed`: in the opposite order. True: there is a NaN among them.
  bool (*toKeys)(ElementType as, bool reversed, void* values, std::int64_t count) = nullptr;
  // In place: the inverse.
  void (*fromKeys)(ElementType as, bool reversed, void* keys, std::int64_t count) = nullptr;
  // Elements of type `as` become f32, or f64 where those do not hold them.
  void (*widen)(ElementType as, const void* values, std::int64_t count, void* numbers) = nullptr;
  // Forgetful selection: from slightly more than half of the values, drop the smallest and largest, add the next value,
  // and repeat. For medians only: rank = count / 2, 3 <= count <= kMostSelected, count odd.
  void (*select)(const RankJob<Key>& job) = nullptr;
  // Bisects the range of keys until one is left, by counting the values in the lower half.
  void (*bisect)(const RankJob<Key>& job) = nullptr;
  // Sort the rows of boxes of 3 x 3, 3 x 3 x 3 and 5 x 5 once for all outputs that read them, and merge them.
  void (*merge3x3)(const MergeJob<Key>& job) = nullptr;
  void (*merge3x3x3)(const MergeJob<Key>& job) = nullptr;
  void (*merge5x5)(const MergeJob<Key>& job) = nullptr;
  // out[x] = the largest of out[x] and in[x + offset[m]] for all m.
  void (*largestOf)(const RankJob<Key>& job) = nullptr;
  // out[x] = the largest of in[x + i * distance], i < values, values > 1; `out` may be `in`. Reads half as far again.
  void (*largestAlongX)(const Key* in, Key* out, std::int64_t count, std::int64_t values,
                        std::int64_t distance) = nullptr;
  void (*largestOfRows)(const RowsJob<Key>& job) = nullptr;
  void (*histogram)(const HistogramJob& job) = nullptr;  // of bytes
};

struct RankKernelTable {
  RankKernels<std::int8_t> keys8;
  RankKernels<std::int16_t> keys16;
  RankKernels<std::int32_t> keys32;
  RankKernels<std::int64_t> keys64;

  template <class Key>
  [[nodiscard]] const RankKernels<Key>& of() const {
    static_assert(kIsRankKey<Key>);
    if constexpr (sizeof(Key) == 1) {
      return keys8;
    } else if constexpr (sizeof(Key) == 2) {
      return keys16;
    } else if constexpr (sizeof(Key) == 4) {
      return keys32;
    } else {
      return keys64;
    }
  }
};

// The kernels of a level that is there (absentReason() empty).
[[nodiscard]] const RankKernelTable& rankKernels(SimdLevel level);
[[nodiscard]] const RankKernelTable& scalarRankKernels();

// A row of outputs, whose windows consist of lines along it. Values are numbers of bins.
struct EntropyJob {
  const std::uint16_t* in = nullptr;     // of the first output: the corner of its window's box
  const std::int64_t* begins = nullptr;  // of the lines, from that corner, and the first place behind each
  const std::int64_t* ends = nullptr;
  std::int64_t lines = 0;
  std::int64_t tapDistance = 1;         // values between neighbors along x
  const std::int64_t* steps = nullptr;  // entropySteps() (core/filter/entropy_window.h)
  std::int64_t total = 0, members = 0;  // their sum, their number
  std::int64_t bins = 0;                // the number of the bin of NaN
  std::int64_t outputs = 0;
  std::uint32_t* counts = nullptr;  // of bins + 1
  double* out = nullptr;
};

template <class Key>
struct BinsJob {
  const Key* keys = nullptr;
  std::int64_t count = 0;
  const Key* thresholds = nullptr;  // ascending
  std::int64_t bins = 0;            // thresholds
  std::uint16_t* out = nullptr;     // how many thresholds each key has reached
};

struct EntropyKernels {
  void (*entropies)(const EntropyJob& job) = nullptr;
  void (*bins8)(const BinsJob<std::int8_t>& job) = nullptr;
  void (*bins16)(const BinsJob<std::int16_t>& job) = nullptr;
  void (*bins32)(const BinsJob<std::int32_t>& job) = nullptr;
  void (*bins64)(const BinsJob<std::int64_t>& job) = nullptr;

  template <class Key>
  void bins(const BinsJob<Key>& job) const {
    if constexpr (sizeof(Key) == 1) {
      bins8(job);
    } else if constexpr (sizeof(Key) == 2) {
      bins16(job);
    } else if constexpr (sizeof(Key) == 4) {
      bins32(job);
    } else {
      bins64(job);
    }
  }
};

// The kernels of a level that is there (absentReason() empty).
[[nodiscard]] const EntropyKernels& entropyKernels(SimdLevel level);
[[nodiscard]] const EntropyKernels& scalarEntropyKernels();

}  // namespace sscope::cpu
