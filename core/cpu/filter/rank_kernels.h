#pragma once
// The inner loops of order statistics, compiled once per instruction set.

#include <cstdint>
#include <type_traits>

#include "core/cpu/run/simd_level.h"

namespace sscope::cpu {

// Keys: integers with the same order as the floating-point numbers that they encode; keys beyond infinity's are NaN.
template <class T>
using RankKey = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

// Largest window for selection.
inline constexpr std::int64_t kMostSelected = 125;

// out[x] = the value of rank `rank` among in[x + offset[m]], m = 0..count-1; NaN if one of them is NaN.
template <class T>
struct RankJob {
  const RankKey<T>* in = nullptr;
  const std::int64_t* offset = nullptr;
  std::int64_t count = 1, rank = 0;
  std::int64_t outputs = 0;  // a multiple of the lanes
  T* out = nullptr;
};

template <class T>
struct RankKernels {
  std::int64_t lanes = 1;
  // In place: numbers become keys.
  void (*toKeys)(void* values, std::int64_t count) = nullptr;
  // Forgetful selection: from slightly more than half of the values, drop the smallest and largest, add the next value,
  // and repeat. For medians only: rank = count / 2, 3 <= count <= kMostSelected, count odd.
  void (*select)(const RankJob<T>& job) = nullptr;
  // Bisects the range of keys until one is left, by counting the values in the lower half.
  void (*bisect)(const RankJob<T>& job) = nullptr;
};

struct RankKernelTable {
  RankKernels<float> f32;
  RankKernels<double> f64;

  template <class T>
  [[nodiscard]] const RankKernels<T>& of() const {
    if constexpr (sizeof(T) == 4) {
      return f32;
    } else {
      return f64;
    }
  }
};

// The kernels of a level that is there (absentReason() empty).
[[nodiscard]] const RankKernelTable& rankKernels(SimdLevel level);
[[nodiscard]] const RankKernelTable& scalarRankKernels();

}  // namespace sscope::cpu
