// Entropies on vectors: bins are found for a vector of keys at once. Histograms stay what they are, one count after
// the other.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/cpu/filter/entropy_kernels.h"
#include "core/filter/rank_window.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/filter/entropy_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace sscope::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#include "core/cpu/filter/entropy_loops-inl.h"

// Halves the number of thresholds that may be reached: every lane takes the same number of steps. For keys of 32 and 64
// bits, whose places are as wide.
template <class Key>
void bins(const BinsJob<Key>& job) {
  const hn::ScalableTag<Key> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t half = 1;
  while (2 * half <= job.bins) half *= 2;
  const auto one = hn::Set(d, Key{1}), most = hn::Set(d, static_cast<Key>(job.bins));
  std::int64_t i = 0;
  alignas(64) Key found[HWY_MAX_BYTES / sizeof(Key)];
  for (; job.bins > 0 && i + lanes <= job.count; i += lanes) {
    const auto key = hn::LoadU(d, job.keys + i);
    auto reached = hn::Zero(d);  // thresholds known to be at most the key
    for (std::int64_t step = half; step > 0; step /= 2) {
      const auto next = hn::Add(reached, hn::Set(d, static_cast<Key>(step)));
      const auto threshold = hn::GatherIndex(d, job.thresholds, hn::Sub(hn::Min(next, most), one));
      const auto beyond = hn::Or(hn::Gt(next, most), hn::Gt(threshold, key));
      reached = hn::IfThenElse(beyond, reached, next);
    }
    hn::Store(reached, d, found);
    for (std::int64_t l = 0; l < lanes; ++l) job.out[i + l] = static_cast<std::uint16_t>(found[l]);
  }
  for (; i < job.count; ++i)
    job.out[i] = static_cast<std::uint16_t>(std::upper_bound(job.thresholds, job.thresholds + job.bins, job.keys[i]) -
                                            job.thresholds);
}

// Of few keys that there can be, a table.
template <class Key>
void binsByTable(const BinsJob<Key>& job) {
  std::uint16_t table[256];
  std::int64_t reached = 0;
  for (std::int64_t key = -128; key < 128; ++key) {
    while (reached < job.bins && job.thresholds[reached] <= key) ++reached;
    table[key + 128] = static_cast<std::uint16_t>(reached);
  }
  for (std::int64_t i = 0; i < job.count; ++i) job.out[i] = table[job.keys[i] + 128];
}

// Keys of 16 bits as wider ones.
void binsOfShorts(const BinsJob<std::int16_t>& job) {
  constexpr std::int64_t kPiece = 256;
  std::int32_t keys[kPiece], thresholds[kMostEntropyBins];
  std::copy_n(job.thresholds, job.bins, thresholds);
  for (std::int64_t i = 0; i < job.count; i += kPiece) {
    const std::int64_t count = std::min(kPiece, job.count - i);
    std::copy_n(job.keys + i, count, keys);
    bins<std::int32_t>({keys, count, thresholds, job.bins, job.out + i});
  }
}

}  // namespace

const EntropyKernels& entropyVectors() {
  static const EntropyKernels kernels{entropies, binsByTable<std::int8_t>, binsOfShorts, bins<std::int32_t>,
                                      bins<std::int64_t>};
  return kernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace sscope::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
#include "core/cpu/run/of_level.h"

namespace sscope::cpu {

const EntropyKernels& entropyKernels(SimdLevel level) {
  return SSCOPE_OF_LEVEL(level, scalarEntropyKernels, entropyVectors)();
}

}  // namespace sscope::cpu
#endif
