// A half spinor's two spins of one color are the lanes: four numbers on every level (two vectors of doubles on SSE4).
// The links' numbers are broadcast; real and imaginary parts are summed apart and joined at the end of a product.

#include <hwy/cache_control.h>

#include <type_traits>

#include "core/base/error.h"
#include "core/cpu/lattice/dirac_kernels.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/lattice/dirac_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace sscope::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// `T` is the type of the arithmetic; floats in memory are converted when they are loaded and stored.
template <class T>
using Tag = hn::CappedTag<T, 4>;
template <class T>
constexpr int kLanes = static_cast<int>(hn::MaxLanes(Tag<T>()));
template <class T>
constexpr int kVectors = 4 / kLanes<T>;

// Two complex numbers.
template <class T>
struct Pair {
  hn::Vec<Tag<T>> v[kVectors<T>];
};

template <class T, class Stored>
HWY_INLINE hn::Vec<Tag<T>> loadVector(const Stored* from) {
  if constexpr (std::is_same_v<T, Stored>) {
    return hn::LoadU(Tag<T>(), from);
  } else {
    return hn::PromoteTo(Tag<T>(), hn::LoadU(hn::Rebind<Stored, Tag<T>>(), from));
  }
}
template <class T, class Stored>
HWY_INLINE Pair<T> load(const Stored* from) {
  Pair<T> p;
  for (int k = 0; k < kVectors<T>; ++k) p.v[k] = loadVector<T>(from + k * kLanes<T>);
  return p;
}
template <class T>
HWY_INLINE Pair<T> zero() {
  Pair<T> p;
  for (int k = 0; k < kVectors<T>; ++k) p.v[k] = hn::Zero(Tag<T>());
  return p;
}
template <class T>
HWY_INLINE Pair<T> broadcast(T value) {
  Pair<T> p;
  for (int k = 0; k < kVectors<T>; ++k) p.v[k] = hn::Set(Tag<T>(), value);
  return p;
}
// a b + c.
template <class T>
HWY_INLINE Pair<T> multiplyAdd(const Pair<T>& a, const Pair<T>& b, const Pair<T>& c) {
  Pair<T> p;
  for (int k = 0; k < kVectors<T>; ++k) p.v[k] = hn::MulAdd(a.v[k], b.v[k], c.v[k]);
  return p;
}
template <class T>
HWY_INLINE Pair<T> add(const Pair<T>& a, const Pair<T>& b) {
  Pair<T> p;
  for (int k = 0; k < kVectors<T>; ++k) p.v[k] = hn::Add(a.v[k], b.v[k]);
  return p;
}
template <class T>
HWY_INLINE Pair<T> multiply(const Pair<T>& a, const Pair<T>& b) {
  Pair<T> p;
  for (int k = 0; k < kVectors<T>; ++k) p.v[k] = hn::Mul(a.v[k], b.v[k]);
  return p;
}
// Real and imaginary parts exchanged.
HWY_INLINE Pair<double> exchanged(const Pair<double>& a) {
  Pair<double> p;
  for (int k = 0; k < kVectors<double>; ++k) p.v[k] = hn::Shuffle01(a.v[k]);
  return p;
}
HWY_INLINE Pair<float> exchanged(const Pair<float>& a) { return {{hn::Shuffle2301(a.v[0])}}; }
// The two numbers exchanged.
HWY_INLINE Pair<double> crossed(const Pair<double>& a) {
#if HWY_TARGET == HWY_SSE4
  return {{a.v[1], a.v[0]}};
#else
  return {{hn::SwapAdjacentBlocks(a.v[0])}};
#endif
}
HWY_INLINE Pair<float> crossed(const Pair<float>& a) { return {{hn::Shuffle1032(a.v[0])}}; }

// A row and its neighbor are each other's negative.
template <class T>
alignas(32) constexpr T kSigns[6][4] = {{-1, 1, -1, 1}, {1, -1, 1, -1}, {-1, -1, 1, 1},
                                        {1, 1, -1, -1}, {-1, 1, 1, -1}, {1, -1, -1, 1}};
constexpr int kTimesI = 0, kTimesMinusI = 1;

// sum + s gamma's rows 0 and 1 times the lower spins (kDown), or rows 2 and 3 times the upper ones; s is 1 or -1.
template <int kMu, bool kDown, bool kMinus, class T>
HWY_INLINE Pair<T> addTurned(const Pair<T>& spins, const Pair<T>& sum) {
  if constexpr (kMu == 3) {
    Pair<T> p;
    for (int k = 0; k < kVectors<T>; ++k)
      p.v[k] = kMinus ? hn::Sub(sum.v[k], spins.v[k]) : hn::Add(sum.v[k], spins.v[k]);
    return p;
  } else {
    constexpr int kRow = (2 * kMu + (kDown ? 0 : 1)) ^ (kMinus ? 1 : 0);
    const Pair<T> turned = kMu == 0 ? crossed(exchanged(spins)) : kMu == 1 ? crossed(spins) : exchanged(spins);
    return multiplyAdd(load<T>(kSigns<T>[kRow]), turned, sum);
  }
}

template <class T>
struct Sum {
  Pair<T> up[3], low[3];
};

// A link as numbers of the arithmetic's type: those in memory, or a copy.
template <class T, class Stored>
struct LinkNumbers {
  T number[18];
  HWY_INLINE explicit LinkNumbers(const Stored* from) {
    for (int k = 0; k < 18; ++k) number[k] = from[k];
  }
};
template <class T>
struct LinkNumbers<T, T> {
  const T* number;
  HWY_INLINE explicit LinkNumbers(const T* from) : number(from) {}
};

// sum += factor (1 - gamma_mu) U psi, or (1 + gamma_mu) U^dagger psi where kDagger; kMinus says which sign it is.
template <int kMu, bool kDagger, bool kMinus, class T, class Stored>
HWY_INLINE void addHop(const Stored* HWY_RESTRICT psi, const Stored* HWY_RESTRICT link, const Pair<T>& factor,
                       Sum<T>& sum) {
  Pair<T> half[3];
  for (int c = 0; c < 3; ++c) half[c] = addTurned<kMu, true, kMinus>(load<T>(psi + 8 * c + 4), load<T>(psi + 8 * c));
  const Pair<T> joined = load<T>(kSigns<T>[kDagger ? kTimesMinusI : kTimesI]);
  const LinkNumbers<T, Stored> numbers(link);
#pragma GCC unroll 3
  for (int c = 0; c < 3; ++c) {
    Pair<T> re = zero<T>(), im = zero<T>();
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const T* u = numbers.number + 2 * (kDagger ? 3 * k + c : 3 * c + k);
      re = multiplyAdd(broadcast(u[0]), half[k], re);
      im = multiplyAdd(broadcast(u[1]), half[k], im);
    }
    Pair<T> h = multiplyAdd(joined, exchanged(im), re);
    if constexpr (kMu == 3) h = multiply(factor, h);
    sum.up[c] = add(sum.up[c], h);
    sum.low[c] = addTurned<kMu, false, kMinus>(h, sum.low[c]);
  }
}

template <bool kStreaming, class T, class Stored>
HWY_INLINE void store(const Pair<T>& value, Stored* to) {
  for (int k = 0; k < kVectors<T>; ++k) {
    if constexpr (!std::is_same_v<T, Stored>) {
      const hn::Rebind<Stored, Tag<T>> narrow;
      hn::StoreU(hn::DemoteTo(narrow, value.v[k]), narrow, to + k * kLanes<T>);
    } else if constexpr (kStreaming) {
      hn::Stream(value.v[k], Tag<T>(), to + k * kLanes<T>);
    } else {
      hn::StoreU(value.v[k], Tag<T>(), to + k * kLanes<T>);
    }
  }
}

// Prefetches the data of the same site in the next row that are not in the first cache levels: the hardware prefetcher
// does not follow so many streams.
template <class Stored>
HWY_INLINE void prefetch(const Stored* from, int numbers) {
  constexpr int kLine = 64 / sizeof(Stored);
  for (int k = 0; k < numbers; k += kLine) hwy::Prefetch(from + k);
}

template <class Stored>
alignas(64) constexpr Stored kZeroSpinor[24] = {};

template <bool kStreaming, bool kAdjoint, bool kHalf, class T, class Stored>
void rows(const BasicDiracJob<Stored>& job, std::int64_t rowBegin, std::int64_t rowEnd) {
  const std::int64_t nx = job.lattice.extent(0), rowsOfSlice = job.lattice.spatialVolume() / nx;
  const Pair<T> minusKappa = broadcast(static_cast<T>(-job.kappa));
  const Stored* const links = job.links;
  // The index of a site's spinor in a field.
  const auto at = [](std::int64_t site) { return 24 * (kHalf ? site >> 1 : site); };
  const auto in = [&](std::int64_t site) { return job.in + at(site); };
  const auto centerOf = [&](std::int64_t site) {
    if constexpr (!kHalf) return in(site);
    return job.center == nullptr ? kZeroSpinor<Stored> : job.center + at(site - job.firstOut);
  };
  for (std::int64_t row = rowBegin; row < rowEnd; ++row) {
    const DiracNeighbors n = neighborsOfRow(job, row);
    const std::int64_t first = kHalf ? firstInRow(job, row) : 0;
    // The next row's neighbors follow these; its sites of the same parity are shifted by one.
    const std::int64_t next = (row + 1) % rowsOfSlice == 0 ? 0 : nx + (kHalf ? 1 - 2 * first : 0);
    const Pair<T> aheadFactor = broadcast(static_cast<T>(n.aheadFactor)),
                  behindFactor = broadcast(static_cast<T>(n.behindFactor));
    for (std::int64_t x = first; x < nx; x += kHalf ? 2 : 1) {
      const std::int64_t site = n.row + x;
      const std::int64_t right = x + 1 < nx ? site + 1 : n.row, left = x > 0 ? site - 1 : n.row + nx - 1;
      const auto ahead = [&](int mu) { return in(n.ahead[mu] + x); };
      const auto behind = [&](int mu) { return in(n.behind[mu] + x); };
      const auto linkBehind = [&](int mu) { return links + 72 * (n.behind[mu] + x) + 18 * mu; };
      prefetch(links + 72 * (site + next), 72);
      prefetch(in(n.ahead[3] + x + next), 24);
      prefetch(in(n.behind[3] + x + next), 24);
      prefetch(linkBehind(3) + 72 * next, 18);
      Sum<T> sum;
      for (int c = 0; c < 3; ++c) sum.up[c] = sum.low[c] = zero<T>();
      const Stored* link = links + 72 * site;
      addHop<0, false, !kAdjoint>(in(right), link, minusKappa, sum);
      addHop<0, true, kAdjoint>(in(left), links + 72 * left, minusKappa, sum);
      addHop<1, false, !kAdjoint>(ahead(1), link + 18, minusKappa, sum);
      addHop<1, true, kAdjoint>(behind(1), linkBehind(1), minusKappa, sum);
      addHop<2, false, !kAdjoint>(ahead(2), link + 36, minusKappa, sum);
      addHop<2, true, kAdjoint>(behind(2), linkBehind(2), minusKappa, sum);
      addHop<3, false, !kAdjoint>(ahead(3), link + 54, aheadFactor, sum);
      addHop<3, true, kAdjoint>(behind(3), linkBehind(3), behindFactor, sum);
      const Stored* center = centerOf(site);
      Stored* out = job.out + at(site - job.firstOut);
      for (int c = 0; c < 3; ++c) {
        store<kStreaming>(multiplyAdd(minusKappa, sum.up[c], load<T>(center + 8 * c)), out + 8 * c);
        store<kStreaming>(multiplyAdd(minusKappa, sum.low[c], load<T>(center + 8 * c + 4)), out + 8 * c + 4);
      }
    }
  }
  if constexpr (kStreaming) hwy::FlushStream();
}

template <bool kHalf>
void diracRowsOf(const DiracJob& job, std::int64_t rowBegin, std::int64_t rowEnd) {
  using D = double;
  if (job.adjoint) {
    (job.streaming ? rows<true, true, kHalf, D, D> : rows<false, true, kHalf, D, D>)(job, rowBegin, rowEnd);
  } else {
    (job.streaming ? rows<true, false, kHalf, D, D> : rows<false, false, kHalf, D, D>)(job, rowBegin, rowEnd);
  }
}

void diracRowsHere(const DiracJob& job, std::int64_t rowBegin, std::int64_t rowEnd) {
  (job.parity == kAllSites ? diracRowsOf<false> : diracRowsOf<true>)(job, rowBegin, rowEnd);
}

// Their results stay in the caches.
template <class T>
void diracRowsOfF32Here(const BasicDiracJob<float>& job, std::int64_t rowBegin, std::int64_t rowEnd) {
  (job.adjoint ? rows<false, true, false, T, float> : rows<false, false, false, T, float>)(job, rowBegin, rowEnd);
}

}  // namespace

DiracRows diracRowsOfTarget() { return diracRowsHere; }
BasicDiracRows<float> diracRowsOfF32OfTarget(Precision computed) {
  return computed == Precision::f32 ? diracRowsOfF32Here<float> : diracRowsOfF32Here<double>;
}

}  // namespace HWY_NAMESPACE
}  // namespace sscope::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
#include "core/cpu/run/of_level.h"

namespace sscope::cpu {

DiracRows diracRows(SimdLevel level) {
  if (const std::string_view reason = absentReason(level); !reason.empty())
    throw Error(ErrorKind::Unsupported, std::string(reason), "choose another engine");
  constexpr auto kScalar = +[]() -> DiracRows { return scalarDiracRows; };
  return SSCOPE_OF_LEVEL(level, kScalar, diracRowsOfTarget)();
}

BasicDiracRows<float> diracRowsOfF32(SimdLevel level, Precision computed) {
  if (const std::string_view reason = absentReason(level); !reason.empty())
    throw Error(ErrorKind::Unsupported, std::string(reason), "choose another engine");
  return SSCOPE_OF_LEVEL(level, scalarDiracRowsOfF32, diracRowsOfF32OfTarget)(computed);
}

}  // namespace sscope::cpu
#endif
