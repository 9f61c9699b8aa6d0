// A half spinor's two spins of one color are the lanes: four doubles, whatever the level has (two vectors on SSE4). The
// links' numbers are broadcast; real and imaginary parts are summed apart and joined at the end of a product.

#include <hwy/cache_control.h>

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

using Tag = hn::CappedTag<double, 4>;
using Vector = hn::Vec<Tag>;
constexpr Tag kTag;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(Tag()));
constexpr int kVectors = 4 / kLanes;

// Two complex numbers.
struct Pair {
  Vector v[kVectors];
};

HWY_INLINE Pair load(const double* from) {
  Pair p;
  for (int k = 0; k < kVectors; ++k) p.v[k] = hn::LoadU(kTag, from + k * kLanes);
  return p;
}
HWY_INLINE Pair zero() {
  Pair p;
  for (int k = 0; k < kVectors; ++k) p.v[k] = hn::Zero(kTag);
  return p;
}
HWY_INLINE Pair broadcast(double value) {
  Pair p;
  for (int k = 0; k < kVectors; ++k) p.v[k] = hn::Set(kTag, value);
  return p;
}
// a b + c.
HWY_INLINE Pair multiplyAdd(const Pair& a, const Pair& b, const Pair& c) {
  Pair p;
  for (int k = 0; k < kVectors; ++k) p.v[k] = hn::MulAdd(a.v[k], b.v[k], c.v[k]);
  return p;
}
HWY_INLINE Pair add(const Pair& a, const Pair& b) {
  Pair p;
  for (int k = 0; k < kVectors; ++k) p.v[k] = hn::Add(a.v[k], b.v[k]);
  return p;
}
HWY_INLINE Pair multiply(const Pair& a, const Pair& b) {
  Pair p;
  for (int k = 0; k < kVectors; ++k) p.v[k] = hn::Mul(a.v[k], b.v[k]);
  return p;
}
// Real and imaginary parts exchanged.
HWY_INLINE Pair exchanged(const Pair& a) {
  Pair p;
  for (int k = 0; k < kVectors; ++k) p.v[k] = hn::Shuffle01(a.v[k]);
  return p;
}
// The two numbers exchanged.
HWY_INLINE Pair crossed(const Pair& a) {
#if HWY_TARGET == HWY_SSE4
  return {{a.v[1], a.v[0]}};
#else
  return {{hn::SwapAdjacentBlocks(a.v[0])}};
#endif
}

// A row and its neighbor are each other's negative.
alignas(32) constexpr double kSigns[6][4] = {{-1, 1, -1, 1}, {1, -1, 1, -1}, {-1, -1, 1, 1},
                                             {1, 1, -1, -1}, {-1, 1, 1, -1}, {1, -1, -1, 1}};
constexpr int kTimesI = 0, kTimesMinusI = 1;

// sum + s gamma's rows 0 and 1 times the lower spins (kDown), or rows 2 and 3 times the upper ones; s is 1 or -1.
template <int kMu, bool kDown, bool kMinus>
HWY_INLINE Pair addTurned(const Pair& spins, const Pair& sum) {
  if constexpr (kMu == 3) {
    Pair p;
    for (int k = 0; k < kVectors; ++k) p.v[k] = kMinus ? hn::Sub(sum.v[k], spins.v[k]) : hn::Add(sum.v[k], spins.v[k]);
    return p;
  } else {
    constexpr int kRow = (2 * kMu + (kDown ? 0 : 1)) ^ (kMinus ? 1 : 0);
    const Pair turned = kMu == 0 ? crossed(exchanged(spins)) : kMu == 1 ? crossed(spins) : exchanged(spins);
    return multiplyAdd(load(kSigns[kRow]), turned, sum);
  }
}

struct Sum {
  Pair up[3], low[3];
};

// sum += factor (1 - gamma_mu) U psi, or (1 + gamma_mu) U^dagger psi where kDagger; kMinus says which sign it is.
template <int kMu, bool kDagger, bool kMinus>
HWY_INLINE void addHop(const double* HWY_RESTRICT psi, const double* HWY_RESTRICT link, const Pair& factor, Sum& sum) {
  Pair half[3];
  for (int c = 0; c < 3; ++c) half[c] = addTurned<kMu, true, kMinus>(load(psi + 8 * c + 4), load(psi + 8 * c));
  const Pair joined = load(kSigns[kDagger ? kTimesMinusI : kTimesI]);
#pragma GCC unroll 3
  for (int c = 0; c < 3; ++c) {
    Pair re = zero(), im = zero();
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
      const double* u = link + 2 * (kDagger ? 3 * k + c : 3 * c + k);
      re = multiplyAdd(broadcast(u[0]), half[k], re);
      im = multiplyAdd(broadcast(u[1]), half[k], im);
    }
    Pair h = multiplyAdd(joined, exchanged(im), re);
    if constexpr (kMu == 3) h = multiply(factor, h);
    sum.up[c] = add(sum.up[c], h);
    sum.low[c] = addTurned<kMu, false, kMinus>(h, sum.low[c]);
  }
}

template <bool kStreaming>
HWY_INLINE void store(const Pair& value, double* to) {
  for (int k = 0; k < kVectors; ++k) {
    if constexpr (kStreaming) {
      hn::Stream(value.v[k], kTag, to + k * kLanes);
    } else {
      hn::StoreU(value.v[k], kTag, to + k * kLanes);
    }
  }
}

// What the same site of the next row needs and is not in the first cache levels: the hardware does not foresee so many
// streams.
HWY_INLINE void prefetch(const double* from, int numbers) {
  for (int k = 0; k < numbers; k += 8) hwy::Prefetch(from + k);
}

template <bool kStreaming, bool kAdjoint>
void rows(const DiracJob& job, std::int64_t rowBegin, std::int64_t rowEnd) {
  const std::int64_t nx = job.lattice.extent(0), rowsOfSlice = job.lattice.spatialVolume() / nx;
  const Pair minusKappa = broadcast(-job.kappa);
  const double* const in = job.in;
  const double* const links = job.links;
  for (std::int64_t row = rowBegin; row < rowEnd; ++row) {
    const DiracNeighbors n = neighborsOfRow(job, row);
    const std::int64_t next = (row + 1) % rowsOfSlice == 0 ? 0 : nx;  // the next row's neighbors are next to these
    const Pair aheadFactor = broadcast(n.aheadFactor), behindFactor = broadcast(n.behindFactor);
    for (std::int64_t x = 0; x < nx; ++x) {
      const std::int64_t site = n.row + x;
      const std::int64_t right = x + 1 < nx ? site + 1 : n.row, left = x > 0 ? site - 1 : n.row + nx - 1;
      const auto ahead = [&](int mu) { return in + 24 * (n.ahead[mu] + x); };
      const auto behind = [&](int mu) { return in + 24 * (n.behind[mu] + x); };
      const auto linkBehind = [&](int mu) { return links + 72 * (n.behind[mu] + x) + 18 * mu; };
      prefetch(links + 72 * (site + next), 72);
      prefetch(ahead(3) + 24 * next, 24);
      prefetch(behind(3) + 24 * next, 24);
      prefetch(linkBehind(3) + 72 * next, 18);
      Sum sum;
      for (int c = 0; c < 3; ++c) sum.up[c] = sum.low[c] = zero();
      const double* link = links + 72 * site;
      addHop<0, false, !kAdjoint>(in + 24 * right, link, minusKappa, sum);
      addHop<0, true, kAdjoint>(in + 24 * left, links + 72 * left, minusKappa, sum);
      addHop<1, false, !kAdjoint>(ahead(1), link + 18, minusKappa, sum);
      addHop<1, true, kAdjoint>(behind(1), linkBehind(1), minusKappa, sum);
      addHop<2, false, !kAdjoint>(ahead(2), link + 36, minusKappa, sum);
      addHop<2, true, kAdjoint>(behind(2), linkBehind(2), minusKappa, sum);
      addHop<3, false, !kAdjoint>(ahead(3), link + 54, aheadFactor, sum);
      addHop<3, true, kAdjoint>(behind(3), linkBehind(3), behindFactor, sum);
      const double* center = in + 24 * site;
      double* out = job.out + 24 * site;
      for (int c = 0; c < 3; ++c) {
        store<kStreaming>(multiplyAdd(minusKappa, sum.up[c], load(center + 8 * c)), out + 8 * c);
        store<kStreaming>(multiplyAdd(minusKappa, sum.low[c], load(center + 8 * c + 4)), out + 8 * c + 4);
      }
    }
  }
  if constexpr (kStreaming) hwy::FlushStream();
}

void diracRowsHere(const DiracJob& job, std::int64_t rowBegin, std::int64_t rowEnd) {
  if (job.adjoint) {
    (job.streaming ? rows<true, true> : rows<false, true>)(job, rowBegin, rowEnd);
  } else {
    (job.streaming ? rows<true, false> : rows<false, false>)(job, rowBegin, rowEnd);
  }
}

}  // namespace

DiracRows diracRowsOfTarget() { return diracRowsHere; }

}  // namespace HWY_NAMESPACE
}  // namespace sscope::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace sscope::cpu {

DiracRows diracRows(SimdLevel level) {
  if (const std::string_view reason = absentReason(level); !reason.empty())
    throw Error(ErrorKind::Unsupported, std::string(reason), "choose another engine");
  switch (level) {
#if HWY_TARGETS & HWY_SSE4
    case SimdLevel::Sse4: return N_SSE4::diracRowsOfTarget();
#endif
#if HWY_TARGETS & HWY_AVX2
    case SimdLevel::Avx2: return N_AVX2::diracRowsOfTarget();
#endif
#if HWY_TARGETS & HWY_AVX3
    case SimdLevel::Avx512: return N_AVX3::diracRowsOfTarget();
#endif
    default: return scalarDiracRows;
  }
}

}  // namespace sscope::cpu
#endif
