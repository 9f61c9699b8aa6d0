// The tuned soup on vectors: products of bytes are summed four at a time. AVX-512 has its own instruction for that on
// most processors (VNNI); the others multiply and add in two steps through 16 bits.

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/cpu/filter/soup_kernels.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3)
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/filter/soup_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
HWY_BEFORE_NAMESPACE();
namespace sscope::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kVectors = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL ? 4 : 2;

using Bytes = hn::ScalableTag<std::uint8_t>;
using Ints = hn::ScalableTag<std::int32_t>;
using Floats = hn::ScalableTag<float>;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(Ints()));
using Sum = hn::Vec<Ints>;

// sum + the four products of unsigned bytes of `values` with signed bytes of `taps`, in each lane.
HWY_INLINE Sum addProducts(Sum sum, hn::Vec<Bytes> values, Sum taps) {
#if HWY_TARGET == HWY_AVX3_DL
  // Highway checks for this instruction set but does not enable it in the compiler.
  __asm__("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(values.raw), "v"(taps.raw));
  return sum;
#elif HWY_TARGET == HWY_AVX3
  const __m512i pairs = _mm512_maddubs_epi16(values.raw, taps.raw);
  return hn::Add(sum, Sum{_mm512_madd_epi16(pairs, _mm512_set1_epi16(1))});
#elif HWY_TARGET == HWY_AVX2
  const __m256i pairs = _mm256_maddubs_epi16(values.raw, taps.raw);
  return hn::Add(sum, Sum{_mm256_madd_epi16(pairs, _mm256_set1_epi16(1))});
#else
  const __m128i pairs = _mm_maddubs_epi16(values.raw, taps.raw);
  return hn::Add(sum, Sum{_mm_madd_epi16(pairs, _mm_set1_epi16(1))});
#endif
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
// Packing saturates, which is the clamp; it works in lanes of 128 bits, which the permutation puts in order.
HWY_INLINE void store(const Sum (&sum)[kVectors], float scale, std::uint8_t* out) {
  const __m512 factor = _mm512_set1_ps(scale);
  __m512i rounded[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v)
    rounded[v] = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(sum[v].raw), factor));
  const __m512i packed =
      _mm512_packus_epi16(_mm512_packs_epi32(rounded[0], rounded[1]), _mm512_packs_epi32(rounded[2], rounded[3]));
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  _mm512_storeu_si512(out, _mm512_permutexvar_epi32(order, packed));
}
#else
HWY_INLINE void store(const Sum (&sum)[kVectors], float scale, std::uint8_t* out) {
  const Floats f;
  const hn::Rebind<std::uint8_t, Ints> bytes;
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    const auto rounded = hn::NearestInt(hn::Mul(hn::ConvertTo(f, sum[v]), hn::Set(f, scale)));
    hn::StoreU(hn::DemoteTo(bytes, rounded), bytes, out + v * kLanes);
  }
}
#endif

void convolve(const SoupBand& band) {
  const Bytes d;
  const Ints ints;
  const SoupTaps& taps = *band.taps;
  for (std::int64_t x = 0; x < band.count; x += kVectors * kLanes) {
    Sum sum[kSoupRows][kVectors];
#pragma GCC unroll 4
    for (int r = 0; r < kSoupRows; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::Zero(ints);
#pragma GCC unroll 2
    for (std::size_t half = 0; half < 2; ++half) {
      const std::uint8_t* HWY_RESTRICT quad = band.quad[half] + 4 * x;
#pragma GCC unroll 5
      for (std::size_t i = 0; i < kSoupTaps; ++i, quad += 4) {
        hn::Vec<Bytes> value[kVectors];
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) value[v] = hn::LoadU(d, quad + 4 * v * kLanes);
#pragma GCC unroll 4
        for (std::size_t r = 0; r < kSoupRows; ++r) {
          const Sum tap = hn::Set(ints, taps.packed[half][r][i]);
#pragma GCC unroll 4
          for (int v = 0; v < kVectors; ++v) sum[r][v] = addProducts(sum[r][v], value[v], tap);
        }
      }
    }
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kSoupRows; ++r) store(sum[r], taps.scale, band.out[r] + x);
  }
}

// Sixteen columns at a time; the remaining ones one by one.
void interleave(const std::array<const std::uint8_t*, kSoupRows>& rows, std::int64_t count, std::uint8_t* quad) {
  const hn::FixedTag<std::uint8_t, 16> d;
  const hn::Repartition<std::uint16_t, decltype(d)> d16;
  std::int64_t x = 0;
  for (; x + 16 <= count; x += 16) {
    const auto a = hn::LoadU(d, rows[0] + x), b = hn::LoadU(d, rows[1] + x);
    const auto c = hn::LoadU(d, rows[2] + x), e = hn::LoadU(d, rows[3] + x);
    const auto low01 = hn::BitCast(d16, hn::InterleaveLower(d, a, b)),
               high01 = hn::BitCast(d16, hn::InterleaveUpper(d, a, b));
    const auto low23 = hn::BitCast(d16, hn::InterleaveLower(d, c, e)),
               high23 = hn::BitCast(d16, hn::InterleaveUpper(d, c, e));
    std::uint8_t* out = quad + 4 * x;
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d16, low01, low23)), d, out);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d16, low01, low23)), d, out + 16);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d16, high01, high23)), d, out + 32);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d16, high01, high23)), d, out + 48);
  }
  for (; x < count; ++x)
    for (std::size_t r = 0; r < rows.size(); ++r) quad[4 * x + static_cast<std::int64_t>(r)] = rows[r][x];
}

}  // namespace

const SoupKernels& soupVectors() {
  static const SoupKernels kernels{kVectors * kLanes, interleave, convolve};
  return kernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace sscope::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
#include "core/cpu/run/of_level.h"

namespace sscope::cpu {

const SoupKernels& soupKernels(SimdLevel level) {
#if HWY_TARGETS & HWY_AVX3_DL
  if (level == SimdLevel::Avx512 && (hwy::SupportedTargets() & HWY_AVX3_DL) != 0) return N_AVX3_DL::soupVectors();
#endif
  return SSCOPE_OF_LEVEL(level, scalarSoupKernels, soupVectors)();
}

}  // namespace sscope::cpu
#endif
