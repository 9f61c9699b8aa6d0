// The kernels of cpu:sse4, cpu:avx2 and cpu:avx512: one Highway source, compiled once per instruction set.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/cpu/run/kernel_table.h"
#include "core/volume/rounding.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/run/kernels_simd.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace sscope::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr SimdLevel kLevel = HWY_TARGET == HWY_AVX3   ? SimdLevel::Avx512
                             : HWY_TARGET == HWY_AVX2 ? SimdLevel::Avx2
                                                      : SimdLevel::Sse4;
constexpr bool kManyRegisters = HWY_TARGET == HWY_AVX3;  // 32 instead of 16
// Rows and vectors of one register tile. Every input vector is loaded once and multiplied with up to kRows taps.
constexpr int kRows = 5;
constexpr int kVectors = kManyRegisters ? 4 : 2;
// Where no input is shared between rows, one row with as many sums as hide the latency.
constexpr int kWideVectors = 8;

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Tag<T>>;

#include "core/cpu/run/rounding_vectors-inl.h"

#include "core/cpu/run/naive-inl.h"
#include "core/cpu/run/rounding_rows-inl.h"
#include "core/cpu/run/tile_io-inl.h"

// Adds input row `in` times tap[-r] to the sums of rows First..Last.
template <int Rows, int Vectors, class T>
HWY_INLINE void addRow(Vector<T> (&sum)[Rows][Vectors], const T* HWY_RESTRICT in, const T* HWY_RESTRICT tap, int first,
                       int last) {
  const Tag<T> d;
  Vector<T> value[Vectors];
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) value[v] = hn::LoadU(d, in + v * static_cast<int>(hn::MaxLanes(d)));
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
    if (r < first || r > last) continue;
    const Vector<T> w = hn::Set(d, tap[-r]);
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) sum[r][v] = hn::MulAdd(value[v], w, sum[r][v]);
  }
}

// Rows x Vectors outputs; needs ky >= Rows.
template <int Rows, int Vectors, class T>
HWY_NOINLINE void correlateBlock(const Correlation<T>& c, const T* in, T* out) {
  const Tag<T> d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(Tag<T>()));
  Vector<T> sum[Rows][Vectors];
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v)
      sum[r][v] = c.accumulate ? hn::LoadU(d, out + r * c.outRow + v * kLanes) : hn::Zero(d);
  const T* HWY_RESTRICT tap = c.taps;
  for (std::int64_t k = 0; k < c.kz; ++k) {
    for (std::int64_t i = 0; i < c.kx; ++i, tap += c.ky) {
      const T* HWY_RESTRICT row = in + k * c.inPlane + i * c.tapDistance;
      // Input row y meets output row r with tap y - r: fewer rows at both ends.
#pragma GCC unroll 8
      for (int y = 0; y < Rows - 1; ++y, row += c.inRow) addRow<Rows, Vectors, T>(sum, row, tap + y, 0, y);
      for (std::int64_t y = Rows - 1; y < c.ky; ++y, row += c.inRow)
        addRow<Rows, Vectors, T>(sum, row, tap + y, 0, Rows - 1);
#pragma GCC unroll 8
      for (int y = 0; y < Rows - 1; ++y, row += c.inRow)
        addRow<Rows, Vectors, T>(sum, row, tap + c.ky + y, y + 1, Rows - 1);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) hn::StoreU(sum[r][v], d, out + r * c.outRow + v * kLanes);
}

#if HWY_TARGET == HWY_AVX3
// Passes along x with registers of a cache line. Nearly every vector of neighbors crosses a cache line and takes two
// reads. So every other one is put together from two vectors in registers, by a unit that is otherwise idle.

// Lanes By and on of `low`, then the first of `high`.
template <int By>
HWY_INLINE Vector<float> shifted(Vector<float> low, Vector<float> high) {
  return Vector<float>{
      _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(high.raw), _mm512_castps_si512(low.raw), By))};
}
template <int By>
HWY_INLINE Vector<double> shifted(Vector<double> low, Vector<double> high) {
  return Vector<double>{
      _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(high.raw), _mm512_castpd_si512(low.raw), By))};
}

template <int Vectors, class T>
struct AlongX {
  static constexpr int kLanes = static_cast<int>(hn::MaxLanes(Tag<T>()));
  const T* in;                    // the window's first element
  const T* tap;                   // the next one
  std::int64_t left, next;        // taps, and elements from `in` to the next
  Vector<T> window[Vectors + 1];  // one more than the outputs
  Vector<T> sum[Vectors];
};

// Adds the tap that begins with element At of the window, if there is one, and those behind it.
template <int At, int Vectors, class T>
HWY_INLINE void addTaps(AlongX<Vectors, T>& a, std::int64_t distance) {
  const Tag<T> d;
  if (a.next == At) {
    const Vector<T> w = hn::Set(d, *a.tap++);
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) {
      Vector<T> value = a.window[v];
      if constexpr (At % 2 == 1) {
        value = shifted<At>(a.window[v], a.window[v + 1]);
      } else if constexpr (At > 0) {
        value = hn::LoadU(d, a.in + v * a.kLanes + At);
      }
      a.sum[v] = hn::MulAdd(value, w, a.sum[v]);
    }
    a.next = --a.left > 0 ? a.next + distance : std::numeric_limits<std::int64_t>::max();
  }
  if constexpr (At + 1 < AlongX<Vectors, T>::kLanes) addTaps<At + 1>(a, distance);
}

// One row, as correlateBlock<1, Vectors>: the same sums in the same order.
template <int Vectors, class T>
HWY_NOINLINE void correlateAlong(const Correlation<T>& c, const T* in, T* out) {
  const Tag<T> d;
  constexpr int kLanes = AlongX<Vectors, T>::kLanes;
  AlongX<Vectors, T> a;
  a.in = in;
  a.tap = c.taps;
  a.left = c.kx;
  a.next = 0;
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) a.sum[v] = c.accumulate ? hn::LoadU(d, out + v * kLanes) : hn::Zero(d);
  while (true) {
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) a.window[v] = hn::LoadU(d, a.in + v * kLanes);
    // No more than the taps reach: rows may end there.
    const std::int64_t reach = std::min<std::int64_t>(a.next + (a.left - 1) * c.tapDistance, kLanes);
    a.window[Vectors] = hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(reach)), d, a.in + Vectors * kLanes);
    addTaps<0>(a, c.tapDistance);
    if (a.left == 0) break;
    a.in += kLanes;
    a.next -= kLanes;
  }
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) hn::StoreU(a.sum[v], d, out + v * kLanes);
}
#endif

template <int Rows, int Vectors, class T>
HWY_INLINE void correlateAt(const Correlation<T>& c, std::int64_t row, std::int64_t x) {
  if (c.prefetch != nullptr)
    prefetchBlock(c, row * c.prefetchRows, x, Rows * c.prefetchRows,
                  Vectors * static_cast<std::int64_t>(hn::MaxLanes(Tag<T>())));
  const T* const in = c.in + row * c.inRow + x;
  T* const out = c.out + row * c.outRow + x;
#if HWY_TARGET == HWY_AVX3
  if constexpr (Rows == 1 && Vectors == kWideVectors)
    if (c.kz == 1 && c.tapDistance <= AlongX<Vectors, T>::kLanes) return correlateAlong<Vectors>(c, in, out);
#endif
  correlateBlock<Rows, Vectors>(c, in, out);
}

template <int Vectors, class T>
void correlateColumn(const Correlation<T>& c, std::int64_t x) {
  std::int64_t row = 0;
  if constexpr (Vectors <= kVectors) {
    if (c.ky >= 5)
      for (; row + 5 <= c.rows; row += 5) correlateAt<5, Vectors>(c, row, x);
    if (c.ky >= 3)
      for (; row + 3 <= c.rows; row += 3) correlateAt<3, Vectors>(c, row, x);
    if (c.ky >= 2)
      for (; row + 2 <= c.rows; row += 2) correlateAt<2, Vectors>(c, row, x);
  }
  for (; row < c.rows; ++row) correlateAt<1, Vectors>(c, row, x);
}

template <class T>
void correlate(const Correlation<T>& c) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(Tag<T>()));
  std::int64_t vector = 0;
  if (c.ky == 1)
    for (; vector + kWideVectors <= c.vectors; vector += kWideVectors)
      correlateColumn<kWideVectors>(c, vector * kLanes);
  for (; vector + kVectors <= c.vectors; vector += kVectors) correlateColumn<kVectors>(c, vector * kLanes);
  for (; vector < c.vectors; ++vector) correlateColumn<1>(c, vector * kLanes);
}

template <class T, std::int64_t Vectors>
struct Block {
  static constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(Tag<T>()));
  static constexpr std::int64_t kElements = Vectors * kLanes;
  Vector<T> sum[Vectors];

  static HWY_INLINE Block zero() {
    Block block;
#pragma GCC unroll 8
    for (std::int64_t v = 0; v < Vectors; ++v) block.sum[v] = hn::Zero(Tag<T>());
    return block;
  }
  HWY_INLINE void load(const T* from) {
#pragma GCC unroll 8
    for (std::int64_t v = 0; v < Vectors; ++v) sum[v] = hn::LoadU(Tag<T>(), from + v * kLanes);
  }
  HWY_INLINE void add(const T* in) {
#pragma GCC unroll 8
    for (std::int64_t v = 0; v < Vectors; ++v) sum[v] = hn::Add(sum[v], hn::LoadU(Tag<T>(), in + v * kLanes));
  }
  HWY_INLINE void addProduct(const T* in, T tap) {
    const Tag<T> d;
    const Vector<T> w = hn::Set(d, tap);
#pragma GCC unroll 8
    for (std::int64_t v = 0; v < Vectors; ++v) sum[v] = hn::MulAdd(hn::LoadU(d, in + v * kLanes), w, sum[v]);
  }
  HWY_INLINE void addTimes(const Block& values, T tap) {
    const Vector<T> w = hn::Set(Tag<T>(), tap);
#pragma GCC unroll 8
    for (std::int64_t v = 0; v < Vectors; ++v) sum[v] = hn::MulAdd(values.sum[v], w, sum[v]);
  }
  HWY_INLINE void store(T* to) const {
#pragma GCC unroll 8
    for (std::int64_t v = 0; v < Vectors; ++v) hn::StoreU(sum[v], Tag<T>(), to + v * kLanes);
  }
  HWY_INLINE void storeWith(const T* other, T* to) const {
    const Tag<T> d;
#pragma GCC unroll 8
    for (std::int64_t v = 0; v < Vectors; ++v)
      hn::StoreU(hn::Add(hn::LoadU(d, other + v * kLanes), sum[v]), d, to + v * kLanes);
  }
};
constexpr std::int64_t kEqualVectors = kManyRegisters ? 4 : 8;

constexpr std::int64_t kFoldedRows = kManyRegisters ? 6 : 4, kFoldedVectors = kManyRegisters ? 4 : 2;

#include "core/cpu/run/shared_sums-inl.h"

template <class T>
double multiplyAdd(std::int64_t rounds, T* sink) {
  constexpr int kChains = kManyRegisters ? 24 : 12;
  const Tag<T> d;
  const Vector<T> factor = hn::Set(d, *sink), addend = hn::Set(d, *sink / 2);
  Vector<T> sum[kChains];
#pragma GCC unroll 24
  for (int i = 0; i < kChains; ++i) sum[i] = hn::Set(d, static_cast<T>(i));
  for (std::int64_t r = 0; r < rounds; ++r)
#pragma GCC unroll 24
    for (int i = 0; i < kChains; ++i) sum[i] = hn::MulAdd(sum[i], factor, addend);
  Vector<T> total = hn::Zero(d);
#pragma GCC unroll 24
  for (int i = 0; i < kChains; ++i) total = hn::Add(total, sum[i]);
  *sink = hn::GetLane(hn::SumOfLanes(d, total));
  return 2.0 * kChains * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

double multiplyAddIntegers(std::int64_t rounds, std::int32_t* sink) {
  constexpr int kChains = kManyRegisters ? 24 : 12;
  const Tag<std::int32_t> d;
  const hn::Repartition<std::int16_t, Tag<std::int32_t>> pairs;
  const auto factor = hn::Set(pairs, static_cast<std::int16_t>(*sink));
  Vector<std::int32_t> sum[kChains], odd = hn::Zero(d);
#pragma GCC unroll 24
  for (int i = 0; i < kChains; ++i) sum[i] = hn::Set(d, i);
  for (std::int64_t r = 0; r < rounds; ++r)
#pragma GCC unroll 24
    for (int i = 0; i < kChains; ++i)
      sum[i] = hn::ReorderWidenMulAccumulate(d, hn::BitCast(pairs, sum[i]), factor, sum[i], odd);
  Vector<std::int32_t> total = odd;
#pragma GCC unroll 24
  for (int i = 0; i < kChains; ++i) total = hn::Add(total, sum[i]);
  *sink = hn::GetLane(hn::SumOfLanes(d, total));
  return 4.0 * kChains * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

void copy(const float* from, float* to, std::int64_t count) {
  const Tag<float> d;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(Tag<float>()));
  for (std::int64_t i = 0; i < count; i += kLanes) hn::Stream(hn::Load(d, from + i), d, to + i);
  hwy::FlushStream();
}

// Copies a row past the caches; only its ragged ends go through them.
template <class T>
void streamRow(const T* from, T* to, std::int64_t count) {
  const Tag<T> d;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(Tag<T>()));
  const auto misaligned = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) / sizeof(T)) % kLanes;
  std::int64_t i = std::min(count, (kLanes - misaligned) % kLanes);
  std::copy_n(from, i, to);
  for (; i + kLanes <= count; i += kLanes) hn::Stream(hn::LoadU(d, from + i), d, to + i);
  std::copy_n(from + i, count - i, to + i);
}

// Storing without a change of type.
template <class T>
std::int64_t storeSame(const StoreJob& job) {
  if (!job.streaming || job.targetStride[0] != 1 || job.components > 1) return storeTile<T, T>(job);
  for (std::int64_t z = 0; z < job.extent[2]; ++z)
    for (std::int64_t y = 0; y < job.extent[1]; ++y)
      streamRow(static_cast<const T*>(job.tile) + z * job.tilePlane + y * job.tileRow,
                reinterpret_cast<T*>(job.target) + z * job.targetStride[2] + y * job.targetStride[1], job.extent[0]);
  return 0;
}

void finishStreaming() { hwy::FlushStream(); }

template <class T>
PrecisionKernels<T> precisionKernels() {
  PrecisionKernels<T> table{kLevel,
                            static_cast<std::int64_t>(hn::MaxLanes(Tag<T>())),
                            correlate<T>,
                            sumEqual<T>,
                            sumEqualColumns<T>,
                            addEqualPlane<T>,
                            sumEqualBlock<T>,
                            kFoldedRows,
                            sumFolded<T>,
                            foldPlanes<T>,
                            packFunctions<T>(),
                            storeFunctions<T>(),
                            naiveFunctions<T>(),
                            multiplyAdd<T>};
  table.store[static_cast<std::size_t>(ElementTypeOf<T>::value)] = storeSame<T>;
  return table;
}

}  // namespace

const KernelTable& kernels() {
  static const KernelTable table{precisionKernels<float>(),
                                 precisionKernels<double>(),
                                 naiveRow<std::uint8_t, std::int32_t>,
                                 roundSums,
                                 roundingFunctions(),
                                 pointFunctions(),
                                 columnFunctions(),
                                 sumColumns<float>,
                                 finishStreaming,
                                 copy,
                                 multiplyAddIntegers};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace sscope::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
#include "core/base/error.h"
#include "core/cpu/run/of_level.h"

namespace sscope::cpu {

namespace {

struct LevelRow {
  SimdLevel level;
  std::int64_t target;  // Highway's bit; 0 always there
  std::string_view name, label, absent;
  const KernelTable& (*kernels)();  // null when not part of this build
};

const std::array<LevelRow, 4>& levels() {
  static const std::array<LevelRow, 4> rows{{
      {SimdLevel::Scalar, 0, "scalar", "scalar", "", scalarKernels},
      {SimdLevel::Sse4, HWY_SSE4, "sse4", "SSE4", "this processor has no SSE4", SSCOPE_OF_SSE4(kernels)},
      {SimdLevel::Avx2, HWY_AVX2, "avx2", "AVX2", "this processor has no AVX2", SSCOPE_OF_AVX2(kernels)},
      {SimdLevel::Avx512, HWY_AVX3, "avx512", "AVX-512", "this processor has no AVX-512", SSCOPE_OF_AVX512(kernels)},
  }};
  return rows;
}

const LevelRow& rowOf(SimdLevel level) { return levels()[static_cast<std::size_t>(level)]; }

}  // namespace

std::string_view toString(SimdLevel level) { return rowOf(level).name; }
std::string_view label(SimdLevel level) { return rowOf(level).label; }

std::string_view absentReason(SimdLevel level) {
  const LevelRow& row = rowOf(level);
  if (row.target != 0 && (static_cast<std::int64_t>(hwy::SupportedTargets()) & row.target) == 0) return row.absent;
  if (row.kernels == nullptr) return "this build was made for another kind of processor";
  return {};
}

const KernelTable& kernelTable(SimdLevel level) {
  const std::string_view reason = absentReason(level);
  if (!reason.empty()) throw Error(ErrorKind::Unsupported, std::string(reason), "choose another engine");
  return rowOf(level).kernels();
}

}  // namespace sscope::cpu
#endif
