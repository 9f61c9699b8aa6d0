// The wavelet transform on vectors: one block of outputs of both filters stays in registers for all taps.

#include <cstdint>

#include "core/cpu/wavelet/dwt/dwt_kernels.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/wavelet/dwt/dwt_simd.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace sscope::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#include "core/cpu/wavelet/dwt/pass-inl.h"

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(Tag<T>()));

template <int kVectors, class T, class V>
HWY_INLINE void store(const V* values, bool stream, T* to) {
  const Tag<T> d;
  constexpr auto kMask = static_cast<std::uintptr_t>(kLanes<T>) * sizeof(T) - 1;
  if (stream && (reinterpret_cast<std::uintptr_t>(to) & kMask) == 0) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) hn::Stream(values[v], d, to + v * kLanes<T>);
    return;
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) hn::StoreU(values[v], d, to + v * kLanes<T>);
}

template <int kVectors, class T>
HWY_INLINE void block(const DwtLines<T>& job, std::int64_t x) {
  const Tag<T> d;
  hn::Vec<Tag<T>> first[kVectors], second[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) first[v] = second[v] = hn::Zero(d);
  for (std::int64_t k = 0; k < job.terms; ++k) {
    const T* HWY_RESTRICT in = job.source[k] + x;
    const auto a = hn::Set(d, job.taps[k]), b = hn::Set(d, job.taps[job.terms + k]);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const auto value = hn::LoadU(d, in + v * kLanes<T>);
      first[v] = hn::MulAdd(a, value, first[v]);
      second[v] = hn::MulAdd(b, value, second[v]);
    }
  }
  store<kVectors>(first, job.streamFirst, job.first + x);
  store<kVectors>(second, job.streamSecond, job.second + x);
}

template <class T>
void lines(const DwtLines<T>& job) {
  std::int64_t x = 0;
  for (; x + 4 * kLanes<T> <= job.count; x += 4 * kLanes<T>) block<4>(job, x);
  for (; x + kLanes<T> <= job.count; x += kLanes<T>) block<1>(job, x);
  if (x == job.count) return;
  // The rest is less than a vector: the last vector is moved back and repeats some results.
  if (job.count >= kLanes<T>) {
    block<1>(job, job.count - kLanes<T>);
  } else {
    scalarDwtKernels<T>().lines(job);
  }
}

template <class T>
void split(const T* in, std::int64_t pairs, T* first, T* second) {
  const Tag<T> d;
  std::int64_t i = 0;
  for (; i + kLanes<T> <= pairs; i += kLanes<T>) {
    const auto a = hn::LoadU(d, in + 2 * i), b = hn::LoadU(d, in + 2 * i + kLanes<T>);
    hn::StoreU(hn::ConcatEven(d, b, a), d, first + i);
    hn::StoreU(hn::ConcatOdd(d, b, a), d, second + i);
  }
  scalarDwtKernels<T>().split(in + 2 * i, pairs - i, first + i, second + i);
}

template <class T>
void join(const T* first, const T* second, std::int64_t pairs, T* out) {
  const Tag<T> d;
  std::int64_t i = 0;
  for (; i + kLanes<T> <= pairs; i += kLanes<T>)
    hn::StoreInterleaved2(hn::LoadU(d, first + i), hn::LoadU(d, second + i), d, out + 2 * i);
  scalarDwtKernels<T>().join(first + i, second + i, pairs - i, out + 2 * i);
}

}  // namespace

template <class T>
const DwtKernels<T>& dwtVectors() {
  static const DwtKernels<T> kernels{lines<T>, split<T>, join<T>, plainPass<T>, [] { hwy::FlushStream(); }};
  return kernels;
}
template const DwtKernels<float>& dwtVectors<float>();
template const DwtKernels<double>& dwtVectors<double>();

}  // namespace HWY_NAMESPACE
}  // namespace sscope::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
#include "core/cpu/run/of_level.h"

namespace sscope::cpu {

template <class T>
const DwtKernels<T>& dwtKernels(SimdLevel level) {
  return SSCOPE_OF_LEVEL(level, scalarDwtKernels<T>, dwtVectors<T>)();
}
template const DwtKernels<float>& dwtKernels<float>(SimdLevel);
template const DwtKernels<double>& dwtKernels<double>(SimdLevel);

}  // namespace sscope::cpu
#endif
