// Fourier transforms on vectors.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/cpu/filter/fft_kernels.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/filter/fft_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#undef SSCOPE_INLINE
#define SSCOPE_INLINE HWY_INLINE

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace sscope::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Lanes = hn::Vec<Tag<T>>;
template <class T>
constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(Tag<T>()));

template <class T>
HWY_INLINE Lanes<T> load(const T* from) {
  return hn::LoadU(Tag<T>(), from);
}
template <class T, class V>
HWY_INLINE void store(V value, T* to) {
  hn::StoreU(value, Tag<T>(), to);
}
template <class T>
HWY_INLINE Lanes<T> splat(T value) {
  return hn::Set(Tag<T>(), value);
}
template <class V>
HWY_INLINE V add(V a, V b) {
  return hn::Add(a, b);
}
template <class V>
HWY_INLINE V sub(V a, V b) {
  return hn::Sub(a, b);
}
template <class V>
HWY_INLINE V mul(V a, V b) {
  return hn::Mul(a, b);
}
template <class V>
HWY_INLINE V mulAdd(V a, V b, V c) {
  return hn::MulAdd(a, b, c);
}
template <class V>
HWY_INLINE V mulSub(V a, V b, V c) {
  return hn::MulSub(a, b, c);
}
template <class V>
HWY_INLINE V magnitude(V a) {
  return hn::Abs(a);
}
template <class V>
HWY_INLINE V smaller(V a, V b) {
  return hn::Min(a, b);
}
template <class V>
HWY_INLINE V larger(V a, V b) {
  return hn::Max(a, b);
}
template <class T>
HWY_INLINE T total(Lanes<T> a) {
  return hn::GetLane(hn::SumOfLanes(Tag<T>(), a));
}
template <class T>
HWY_INLINE T greatest(Lanes<T> a) {
  return hn::GetLane(hn::MaxOfLanes(Tag<T>(), a));
}

// Within each 128 bits: the square blocks of `kSquare` vectors are transposed.
template <class T>
HWY_INLINE void transposeWithin(Lanes<T>* v) {
  const Tag<T> d;
  if constexpr (sizeof(T) == 8) {
    const auto low = hn::InterleaveLower(d, v[0], v[1]), high = hn::InterleaveUpper(d, v[0], v[1]);
    v[0] = low;
    v[1] = high;
  } else {
    const auto low02 = hn::InterleaveLower(d, v[0], v[2]), high02 = hn::InterleaveUpper(d, v[0], v[2]);
    const auto low13 = hn::InterleaveLower(d, v[1], v[3]), high13 = hn::InterleaveUpper(d, v[1], v[3]);
    v[0] = hn::InterleaveLower(d, low02, low13);
    v[1] = hn::InterleaveUpper(d, low02, low13);
    v[2] = hn::InterleaveLower(d, high02, high13);
    v[3] = hn::InterleaveUpper(d, high02, high13);
  }
}

// A block of kLanes<T> rows. First within 128 bits, then the pieces of 128 bits among vectors.
template <class T>
HWY_INLINE void transpose(const T* from, std::int64_t fromRow, T* to, std::int64_t toRow) {
  constexpr auto kAll = static_cast<int>(kLanes<T>);
  constexpr int kSquare = 16 / static_cast<int>(sizeof(T)), kPieces = kAll / kSquare;
#if HWY_TARGET != HWY_SSE4
  const Tag<T> d;
#endif
  Lanes<T> v[kAll];
#pragma GCC unroll 16
  for (int r = 0; r < kAll; ++r) v[r] = load(from + r * fromRow);
#pragma GCC unroll 4
  for (int p = 0; p < kPieces; ++p) transposeWithin<T>(v + p * kSquare);
#if HWY_TARGET != HWY_SSE4
#pragma GCC unroll 16
  for (int r = 0; r < kAll / 2; ++r) {
    const auto a = v[r], b = v[r + kAll / 2];
    v[r] = hn::ConcatLowerLower(d, b, a);
    v[r + kAll / 2] = hn::ConcatUpperUpper(d, b, a);
  }
#endif
#if HWY_TARGET == HWY_AVX3
#pragma GCC unroll 16
  for (int r = 0; r < kAll; ++r) {
    if (r % (2 * kSquare) >= kSquare) continue;
    const auto a = v[r], b = v[r + kSquare];
    v[r] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
    v[r + kSquare] = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
  }
#endif
#pragma GCC unroll 16
  for (int r = 0; r < kAll; ++r) store(v[r], to + r * toRow);
}

#include "core/cpu/filter/fft-inl.h"

}  // namespace

const FftKernelTable& fftVectors() {
  static const FftKernelTable table{fftKernelsOf<float>(), fftKernelsOf<double>()};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace sscope::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
#include "core/cpu/run/of_level.h"

namespace sscope::cpu {

const FftKernelTable& fftKernels(SimdLevel level) { return SSCOPE_OF_LEVEL(level, scalarFftKernels, fftVectors)(); }

}  // namespace sscope::cpu
#endif
