// Means weighted by likeness on vectors: every lane is an output of its own.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/cpu/filter/range_kernels.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/filter/range_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace sscope::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Tag<T>>;

template <class T>
HWY_INLINE Vector<T> polynomial(Vector<T> f) {
  const Tag<T> d;
  if constexpr (sizeof(T) == 4) {
    auto p = hn::Set(d, kPowerOfTwoF32[4]);
    for (std::size_t i = 4; i-- > 0;) p = hn::MulAdd(p, f, hn::Set(d, kPowerOfTwoF32[i]));
    return hn::MulAdd(p, f, hn::Set(d, 1.0F));
  } else {
    auto p = hn::Set(d, kPowerOfTwoF64[11]);
    for (std::size_t i = 11; i-- > 0;) p = hn::MulAdd(p, f, hn::Set(d, kPowerOfTwoF64[i]));
    return hn::MulAdd(p, f, hn::Set(d, 1.0));
  }
}

// For x <= 0. The lowest x that is kept has f = 0, so that its bits become those of 0.
template <class T>
HWY_INLINE Vector<T> exp2Of(Vector<T> x) {
  const Tag<T> d;
  const hn::RebindToUnsigned<Tag<T>> bits;
  const auto round = hn::Set(d, sizeof(T) == 4 ? static_cast<T>(kRoundF32) : static_cast<T>(kRoundF64));
  x = hn::Max(x, hn::Set(d, static_cast<T>(1 - std::numeric_limits<T>::max_exponent)));
  const auto rounded = hn::Add(x, round);
  const auto f = hn::Sub(x, hn::Sub(rounded, round));
  const auto exponent = hn::ShiftLeft<std::numeric_limits<T>::digits - 1>(hn::BitCast(bits, rounded));
  return hn::BitCast(d, hn::Add(hn::BitCast(bits, polynomial<T>(f)), exponent));
}

template <class T>
struct Sums {
  Vector<T> weights, differences, magnitudes;

  HWY_INLINE void add(const Sums& other) {
    weights = hn::Add(weights, other.weights);
    differences = hn::Add(differences, other.differences);
    magnitudes = hn::Add(magnitudes, other.magnitudes);
  }
};

template <class T>
HWY_INLINE Sums<T> noSums() {
  const auto zero = hn::Zero(Tag<T>());
  return {zero, zero, zero};
}

// kCareful: differences that are NaN or infinite are ignored.
template <class T, bool kCareful, bool kMagnitudes>
HWY_INLINE Sums<T> weighed(const WeighJob<T>& job, std::int64_t x) {
  const Tag<T> d;
  const auto center = hn::LoadU(d, job.in + x), scale = hn::Set(d, job.scale);
  const auto far = hn::Set(d, -std::numeric_limits<T>::infinity());
  const T* HWY_RESTRICT exponent = job.exponents;
  Sums<T> sums = noSums<T>();
  for (std::int64_t k = -job.reach[2]; k <= job.reach[2]; ++k) {
    Sums<T> plane = noSums<T>();
    for (std::int64_t j = -job.reach[1]; j <= job.reach[1]; ++j) {
      const T* HWY_RESTRICT from = job.in + x + k * job.plane + j * job.row;
      for (std::int64_t i = -job.reach[0]; i <= job.reach[0]; ++i) {
        auto difference = hn::Sub(hn::LoadU(d, from + i), center);
        auto near = hn::Set(d, *exponent++);
        if constexpr (kCareful) {
          const auto finite = hn::IsFinite(difference);
          difference = hn::IfThenElseZero(finite, difference);
          near = hn::IfThenElse(finite, near, far);
        }
        const auto scaled = hn::Mul(difference, scale);
        const auto weight = exp2Of<T>(hn::NegMulAdd(scaled, scaled, near));
        plane.weights = hn::Add(plane.weights, weight);
        plane.differences = hn::MulAdd(weight, difference, plane.differences);
        if constexpr (kMagnitudes) plane.magnitudes = hn::MulAdd(weight, hn::Abs(difference), plane.magnitudes);
      }
    }
    sums.add(plane);
  }
  sums.weights = hn::Add(sums.weights, hn::Set(d, T{1}));
  return sums;
}

// NaN and Inf spoil a sum of differences whatever their weight: then all sums are computed again, carefully.
template <class T, bool kMagnitudes>
HWY_INLINE void weighRow(const WeighJob<T>& job) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t x = 0; x < job.outputs; x += lanes) {
    Sums<T> sums = weighed<T, false, kMagnitudes>(job, x);
    if (!hn::AllTrue(d, hn::IsFinite(sums.differences))) sums = weighed<T, true, kMagnitudes>(job, x);
    hn::StoreU(sums.weights, d, job.sums.weights + x);
    hn::StoreU(sums.differences, d, job.sums.differences + x);
    if constexpr (kMagnitudes) hn::StoreU(sums.magnitudes, d, job.sums.magnitudes + x);
  }
}

template <class T>
void weigh(const WeighJob<T>& job) {
  if (job.sums.magnitudes != nullptr) {
    weighRow<T, true>(job);
  } else {
    weighRow<T, false>(job);
  }
}

// out[x] = the sum of in[x + i step] for 0 <= i <= 2 patch.
template <class T>
HWY_INLINE void addUp(const T* HWY_RESTRICT in, std::int64_t step, std::int64_t patch, T* HWY_RESTRICT out,
                      std::int64_t count) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t x = 0; x < count; x += lanes) {
    auto sum = hn::LoadU(d, in + x);
    for (std::int64_t i = 1; i <= 2 * patch; ++i) sum = hn::Add(sum, hn::LoadU(d, in + x + i * step));
    hn::StoreU(sum, d, out + x);
  }
}

// A plane of sums along x and y.
template <class T>
HWY_INLINE void shiftPlane(const ShiftJob<T>& job, std::int64_t z) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto scale = hn::Set(d, job.scale);
  const auto [nx, ny, nz] = job.extent;
  const auto [px, py, pz] = job.patch;
  for (std::int64_t y = -py; y < ny + py; ++y) {
    const T* HWY_RESTRICT from = job.in + z * job.plane + y * job.row - px;
    for (std::int64_t x = 0; x < nx + 2 * px; x += lanes) {
      const auto scaled = hn::Mul(hn::Sub(hn::LoadU(d, from + x + job.shift), hn::LoadU(d, from + x)), scale);
      hn::StoreU(hn::Mul(scaled, scaled), d, job.squares + x);
    }
    addUp(job.squares, 1, px, job.lines + (y + py) * job.outRow, nx);
  }
  for (std::int64_t y = 0; y < ny; ++y)
    addUp(job.lines + y * job.outRow, job.outRow, py, job.planes + ((z + pz) * ny + y) * job.outRow, nx);
}

template <class T, bool kMagnitudes>
HWY_INLINE void shiftTile(const ShiftJob<T>& job) {
  const Tag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto [nx, ny, nz] = job.extent;
  const std::int64_t pz = job.patch[2], step = ny * job.outRow;
  for (std::int64_t z = -pz; z < nz + pz; ++z) shiftPlane(job, z);
  const auto floor = hn::Set(d, job.floor), exponent = hn::Set(d, job.exponent), zero = hn::Zero(d);
  for (std::int64_t z = 0; z < nz; ++z)
    for (std::int64_t y = 0; y < ny; ++y) {
      const T* HWY_RESTRICT in = job.in + z * job.plane + y * job.row;
      const std::int64_t out = (z * ny + y) * job.outRow;
      for (std::int64_t x = 0; x < nx; x += lanes) {
        const T* HWY_RESTRICT sum = job.planes + out + x;
        auto distance = hn::LoadU(d, sum);
        for (std::int64_t i = 1; i <= 2 * pz; ++i) distance = hn::Add(distance, hn::LoadU(d, sum + i * step));
        const auto finite = hn::IsFinite(distance);
        auto weight = exp2Of<T>(hn::Sub(exponent, hn::Max(hn::Sub(distance, floor), zero)));
        weight = hn::IfThenElseZero(finite, weight);
        auto difference = hn::Sub(hn::LoadU(d, in + x + job.shift), hn::LoadU(d, in + x));
        difference = hn::IfThenElseZero(finite, difference);
        T* HWY_RESTRICT weights = job.sums.weights + out + x;
        T* HWY_RESTRICT differences = job.sums.differences + out + x;
        hn::StoreU(hn::Add(hn::LoadU(d, weights), weight), d, weights);
        hn::StoreU(hn::MulAdd(weight, difference, hn::LoadU(d, differences)), d, differences);
        if constexpr (kMagnitudes) {
          T* HWY_RESTRICT magnitudes = job.sums.magnitudes + out + x;
          hn::StoreU(hn::MulAdd(weight, hn::Abs(difference), hn::LoadU(d, magnitudes)), d, magnitudes);
        }
      }
    }
}

template <class T>
void shift(const ShiftJob<T>& job) {
  if (job.sums.magnitudes != nullptr) {
    shiftTile<T, true>(job);
  } else {
    shiftTile<T, false>(job);
  }
}

template <class T>
RangeKernels<T> kernelsOf() {
  return {static_cast<std::int64_t>(hn::Lanes(Tag<T>())), weigh<T>, shift<T>};
}

}  // namespace

const RangeKernelTable& rangeVectors() {
  static const RangeKernelTable table{kernelsOf<float>(), kernelsOf<double>()};
  return table;
}

}  // namespace HWY_NAMESPACE
}  // namespace sscope::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
#include "core/cpu/run/of_level.h"

namespace sscope::cpu {

const RangeKernelTable& rangeKernels(SimdLevel level) {
  return SSCOPE_OF_LEVEL(level, scalarRangeKernels, rangeVectors)();
}

}  // namespace sscope::cpu
#endif
