// Order statistics and entropies on vectors.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/cpu/filter/window_kernels.h"
#include "core/filter/entropy_window.h"
#include "core/filter/method/sorting_network.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/filter/window_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace sscope::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#undef RANK_INLINE
#define RANK_INLINE HWY_INLINE

template <class Key>
struct Lanes {
  using D = hn::ScalableTag<Key>;
  using V = hn::Vec<D>;
  static HWY_INLINE std::int64_t count() { return static_cast<std::int64_t>(hn::Lanes(D())); }
  static HWY_INLINE V load(const Key* from) { return hn::LoadU(D(), from); }
  static HWY_INLINE void store(V v, Key* to) { hn::StoreU(v, D(), to); }
  static HWY_INLINE V smaller(V a, V b) { return hn::Min(a, b); }
  static HWY_INLINE V larger(V a, V b) { return hn::Max(a, b); }
};
template <class Key>
using Vector = typename Lanes<Key>::V;

inline bool isUnsigned(ElementType as);

// Its own inverse: negative numbers count downward.
template <class Key>
HWY_INLINE Vector<Key> mirrored(Vector<Key> bits) {
  const typename Lanes<Key>::D d;
  return hn::Xor(bits, hn::And(hn::BroadcastSignBit(bits), hn::Set(d, std::numeric_limits<Key>::max())));
}

// All values are of a number of vectors.
template <class Key>
bool toKeys(ElementType as, bool reversed, void* values, std::int64_t count) {
  using L = Lanes<Key>;
  const typename L::D d;
  auto* keys = static_cast<Key*>(values);  // of which nobody has read another type since
  const auto flip = hn::Set(d, reversed ? static_cast<Key>(-1) : Key{0});
  if (isInteger(as)) {
    if (!isUnsigned(as) && !reversed) return false;
    const auto bits = isUnsigned(as) ? hn::Xor(flip, hn::Set(d, std::numeric_limits<Key>::min())) : flip;
    for (std::int64_t i = 0; i < count; i += L::count()) L::store(hn::Xor(L::load(keys + i), bits), keys + i);
    return false;
  }
  bool unordered = false;
  if constexpr (sizeof(Key) >= 4) {
    using Number = std::conditional_t<sizeof(Key) == 4, float, double>;
    const hn::Rebind<Number, typename L::D> numbers;
    const auto infinity = hn::BitCast(d, hn::Set(numbers, std::numeric_limits<Number>::infinity()));
    const auto minus = mirrored<Key>(hn::BitCast(d, hn::Set(numbers, -std::numeric_limits<Number>::infinity())));
    const auto largest = hn::Set(d, std::numeric_limits<Key>::max());
    auto any = hn::Zero(d);
    for (std::int64_t i = 0; i < count; i += L::count()) {
      const auto key = mirrored<Key>(L::load(keys + i));
      const auto isNaN = hn::Or(hn::Lt(key, minus), hn::Gt(key, infinity));
      any = hn::Or(any, hn::VecFromMask(d, isNaN));
      L::store(hn::IfThenElse(isNaN, largest, hn::Xor(key, flip)), keys + i);
    }
    unordered = !hn::AllTrue(d, hn::Eq(any, hn::Zero(d)));
  }
  return unordered;
}

template <class Key>
void fromKeys(ElementType as, bool reversed, void* keys, std::int64_t count) {
  using L = Lanes<Key>;
  const typename L::D d;
  auto* at = static_cast<Key*>(keys);
  const auto flip = hn::Set(d, reversed ? static_cast<Key>(-1) : Key{0});
  if (isInteger(as)) {
    if (!isUnsigned(as) && !reversed) return;
    const auto bits = isUnsigned(as) ? hn::Xor(flip, hn::Set(d, std::numeric_limits<Key>::min())) : flip;
    for (std::int64_t i = 0; i < count; i += L::count()) L::store(hn::Xor(L::load(at + i), bits), at + i);
    return;
  }
  if constexpr (sizeof(Key) >= 4)
    for (std::int64_t i = 0; i < count; i += L::count())
      L::store(mirrored<Key>(hn::Xor(L::load(at + i), flip)), at + i);
}

// The middle of two keys, rounded down.
template <class Key>
HWY_INLINE Vector<Key> middleOf(Vector<Key> low, Vector<Key> high) {
  const typename Lanes<Key>::D d;
  const hn::RebindToUnsigned<typename Lanes<Key>::D> plain;
  if constexpr (sizeof(Key) <= 2) {  // the average rounds up: that of the complements rounds down
    const auto turned = hn::Set(d, std::numeric_limits<Key>::max());
    const auto average =
        hn::AverageRound(hn::BitCast(plain, hn::Xor(low, turned)), hn::BitCast(plain, hn::Xor(high, turned)));
    return hn::Xor(hn::BitCast(d, average), turned);
  } else {
    return hn::Add(low, hn::BitCast(d, hn::ShiftRight<1>(hn::BitCast(plain, hn::Sub(high, low)))));
  }
}

// Whether more than `rank` of the values are at most `middle`: -1 in those lanes. Counts of 8 bits hold 127 values, and
// are widened then.
template <class Key>
HWY_INLINE Vector<Key> moreThan(const RankJob<Key>& job, const Key* in, Vector<Key> middle) {
  using L = Lanes<Key>;
  const typename L::D d;
  const auto none = hn::Zero(d);
  if constexpr (sizeof(Key) == 1) {
    constexpr std::int64_t kMost = 127;
    const hn::Half<typename L::D> half;
    const hn::Rebind<std::int16_t, decltype(half)> wide;
    auto lower = hn::Zero(wide), upper = hn::Zero(wide);
    for (std::int64_t m = 0; m < job.count;) {
      const std::int64_t end = std::min(job.count, m + kMost);
      auto above = none;  // counted downward: a true lane is -1
      for (; m < end; ++m) above = hn::Add(above, hn::VecFromMask(d, hn::Gt(L::load(in + job.offset[m]), middle)));
      lower = hn::Add(lower, hn::PromoteTo(wide, hn::LowerHalf(half, above)));
      upper = hn::Add(upper, hn::PromoteTo(wide, hn::UpperHalf(half, above)));
    }
    const auto enough = hn::Set(wide, static_cast<std::int16_t>(job.rank - job.count));
    const auto low = hn::DemoteTo(half, hn::VecFromMask(wide, hn::Gt(lower, enough)));
    const auto high = hn::DemoteTo(half, hn::VecFromMask(wide, hn::Gt(upper, enough)));
    return hn::Combine(d, high, low);
  } else {
    auto above = none;
    for (std::int64_t m = 0; m < job.count; ++m)
      above = hn::Add(above, hn::VecFromMask(d, hn::Gt(L::load(in + job.offset[m]), middle)));
    return hn::VecFromMask(d, hn::Gt(above, hn::Set(d, static_cast<Key>(job.rank - job.count))));
  }
}

template <class Key>
void bisect(const RankJob<Key>& job) {
  using L = Lanes<Key>;
  const typename L::D d;
  const auto one = hn::Set(d, Key{1});
  for (std::int64_t x = 0; x < job.outputs; x += L::count()) {
    const Key* HWY_RESTRICT in = job.in + x;
    auto low = L::load(in + job.offset[0]), high = low;
    for (std::int64_t m = 1; m < job.count; ++m) {
      const auto key = L::load(in + job.offset[m]);
      low = hn::Min(low, key);
      high = hn::Max(high, key);
    }
    while (!hn::AllTrue(d, hn::Eq(low, high))) {
      const auto middle = middleOf<Key>(low, high);
      const auto lower = hn::MaskFromVec(moreThan(job, in, middle));
      low = hn::IfThenElse(lower, low, hn::Min(hn::Add(middle, one), high));
      high = hn::IfThenElse(lower, middle, high);
    }
    L::store(low, job.out + x);
  }
}

#include "core/cpu/filter/window_loops-inl.h"

// Entropies: bins are found for a vector of keys at once, histograms one count after the other.

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

const RankKernelTable& rankVectors() {
  static const RankKernelTable table{kernelsOf<std::int8_t>(), kernelsOf<std::int16_t>(), kernelsOf<std::int32_t>(),
                                     kernelsOf<std::int64_t>()};
  return table;
}

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

const RankKernelTable& rankKernels(SimdLevel level) { return SSCOPE_OF_LEVEL(level, scalarRankKernels, rankVectors)(); }

const EntropyKernels& entropyKernels(SimdLevel level) {
  return SSCOPE_OF_LEVEL(level, scalarEntropyKernels, entropyVectors)();
}

}  // namespace sscope::cpu
#endif
