#pragma once
// The inner loops of entropies, compiled once per instruction set.

#include <cstdint>

#include "core/cpu/run/simd_level.h"

namespace sscope::cpu {

// A row of outputs, whose windows consist of lines along it. Values are numbers of bins.
struct EntropyJob {
  const std::uint16_t* in = nullptr;     // of the first output: the corner of its window's box
  const std::int64_t* begins = nullptr;  // of the lines, from that corner, and the first place behind each
  const std::int64_t* ends = nullptr;
  std::int64_t lines = 0;
  std::int64_t tapDistance = 1;         // values between neighbors along x
  const std::int64_t* steps = nullptr;  // entropySteps() (core/filter/rank_window.h)
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
