// Order statistics on vectors: every lane is an output of its own, and all take the same steps.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/cpu/filter/rank_kernels.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/filter/rank_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace sscope::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Keys = hn::ScalableTag<RankKey<T>>;
template <class T>
using Vector = hn::Vec<Keys<T>>;

// Its own inverse: negative numbers count downward.
template <class T>
HWY_INLINE Vector<T> mirrored(Vector<T> bits) {
  return hn::Xor(bits, hn::And(hn::BroadcastSignBit(bits), hn::Set(Keys<T>(), std::numeric_limits<RankKey<T>>::max())));
}

template <class T>
void toKeys(void* values, std::int64_t count) {
  const Keys<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto* keys = static_cast<RankKey<T>*>(values);  // of which nobody has read another type since
  for (std::int64_t i = 0; i < count; i += lanes) hn::StoreU(mirrored<T>(hn::LoadU(d, keys + i)), d, keys + i);
}

template <class T>
struct Span {
  Vector<T> lowest, highest;

  HWY_INLINE void add(Vector<T> keys) {
    lowest = hn::Min(lowest, keys);
    highest = hn::Max(highest, keys);
  }
  // Stores the numbers behind keys of the window, or NaN where one of its keys is.
  HWY_INLINE void store(Vector<T> keys, T* out) const {
    const Keys<T> d;
    const hn::Rebind<T, Keys<T>> numbers;
    const auto infinity = hn::BitCast(d, hn::Set(numbers, std::numeric_limits<T>::infinity()));
    const auto minus = mirrored<T>(hn::BitCast(d, hn::Set(numbers, -std::numeric_limits<T>::infinity())));
    const auto unordered = hn::Or(hn::Lt(lowest, minus), hn::Gt(highest, infinity));
    const auto nan = hn::BitCast(d, hn::Set(numbers, std::numeric_limits<T>::quiet_NaN()));
    hn::StoreU(hn::BitCast(numbers, hn::IfThenElse(unordered, nan, mirrored<T>(keys))), numbers, out);
  }
};

template <class T>
HWY_INLINE Span<T> emptySpan() {
  return {hn::Set(Keys<T>(), std::numeric_limits<RankKey<T>>::max()),
          hn::Set(Keys<T>(), std::numeric_limits<RankKey<T>>::min())};
}

template <class V>
HWY_INLINE void sortPair(V& low, V& high) {
  const V smaller = hn::Min(low, high);
  high = hn::Max(low, high);
  low = smaller;
}

template <class T>
void select(const RankJob<T>& job) {
  const Keys<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  Vector<T> held[kMostSelected / 2 + 2];
  for (std::int64_t x = 0; x < job.outputs; x += lanes) {
    const RankKey<T>* HWY_RESTRICT in = job.in + x;
    Span<T> span = emptySpan<T>();
    std::int64_t next = 0;
    const auto read = [&]() HWY_ATTR {
      const auto keys = hn::LoadU(d, in + job.offset[next++]);
      span.add(keys);
      return keys;
    };
    std::int64_t last = job.count / 2 + 1;
    for (std::int64_t i = 0; i <= last; ++i) held[i] = read();
    for (;; --last) {
      for (std::int64_t i = 0; i < (last + 1) / 2; ++i) sortPair(held[i], held[last - i]);
      auto smallest = held[0], largest = held[last];
      for (std::int64_t i = 1; i <= last / 2; ++i) sortPair(smallest, held[i]);
      for (std::int64_t i = (last + 1) / 2; i < last; ++i) sortPair(held[i], largest);
      if (next == job.count) break;
      held[0] = read();
    }
    span.store(held[1], job.out + x);
  }
}

template <class T>
void bisect(const RankJob<T>& job) {
  const Keys<T> d;
  const hn::RebindToUnsigned<Keys<T>> plain;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto rank = hn::Set(d, static_cast<RankKey<T>>(job.rank)), one = hn::Set(d, RankKey<T>{1});
  for (std::int64_t x = 0; x < job.outputs; x += lanes) {
    const RankKey<T>* HWY_RESTRICT in = job.in + x;
    Span<T> span = emptySpan<T>();
    for (std::int64_t m = 0; m < job.count; ++m) span.add(hn::LoadU(d, in + job.offset[m]));
    auto low = span.lowest, high = span.highest;
    while (!hn::AllTrue(d, hn::Eq(low, high))) {
      const auto half = hn::ShiftRight<1>(hn::BitCast(plain, hn::Sub(high, low)));
      const auto middle = hn::Add(low, hn::BitCast(d, half));
      auto below = hn::Zero(d);  // counted downward: a true lane is -1
      for (std::int64_t m = 0; m < job.count; ++m) {
        const auto above = hn::Gt(hn::LoadU(d, in + job.offset[m]), middle);
        below = hn::Add(below, hn::VecFromMask(d, above));
      }
      const auto lower = hn::Gt(hn::Add(hn::Set(d, static_cast<RankKey<T>>(job.count)), below), rank);
      low = hn::IfThenElse(lower, low, hn::Min(hn::Add(middle, one), high));
      high = hn::IfThenElse(lower, middle, high);
    }
    span.store(low, job.out + x);
  }
}

template <class T>
RankKernels<T> kernelsOf() {
  return {static_cast<std::int64_t>(hn::Lanes(Keys<T>())), toKeys<T>, select<T>, bisect<T>};
}

}  // namespace

const RankKernelTable& rankVectors() {
  static const RankKernelTable table{kernelsOf<float>(), kernelsOf<double>()};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace sscope::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace sscope::cpu {

const RankKernelTable& rankKernels(SimdLevel level) {
#if HWY_TARGETS & HWY_AVX3
  if (level == SimdLevel::Avx512) return N_AVX3::rankVectors();
#endif
#if HWY_TARGETS & HWY_AVX2
  if (level == SimdLevel::Avx2) return N_AVX2::rankVectors();
#endif
#if HWY_TARGETS & HWY_SSE4
  if (level == SimdLevel::Sse4) return N_SSE4::rankVectors();
#endif
  return scalarRankKernels();
}

}  // namespace sscope::cpu
#endif
