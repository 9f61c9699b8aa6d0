// The lanes are sites along x: no number is ever exchanged between lanes but for neighbors along x, which are shifted
// once and used often.

#include <utility>

#include "core/base/error.h"
#include "core/cpu/lattice/flow_kernels.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/lattice/flow_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_STATIC_TARGET
HWY_BEFORE_NAMESPACE();
namespace sscope::cpu {
namespace HWY_NAMESPACE {
namespace {

#include "core/cpu/lattice/su3_vectors.inc"

constexpr int kSite = 4 * kLink, kPlaquettes = kPlanes * kAlgebra, kExponents = 4 * kAlgebra;

void plaquettesHere(const PlaquetteRow& row) {
  HWY_ALIGN double right[3 * kLink], first[kLink], second[kLink];
  for (int b = 0; b < row.blocks; ++b) {
    const bool last = b + 1 == row.blocks;
    const double* here = row.here + b * kSite;
    shiftAhead(here + kLink, (last ? row.here : here + kSite) + kLink, last ? row.tail : kLanes, 3 * kLinkNumbers,
               right);
    for (int mu = 0; mu < 3; ++mu)
      for (int nu = mu + 1; nu < 4; ++nu) {
        const double* ahead = mu == 0 ? right + (nu - 1) * kLink : row.ahead[mu] + b * kSite + nu * kLink;
        product(here + mu * kLink, ahead, first);
        product(here + nu * kLink, row.ahead[nu] + b * kSite + mu * kLink, second);
        projectedProduct(first, second, row.out + b * kPlaquettes + kPlaneOf[mu][nu] * kAlgebra);
      }
  }
}

// force = the six plaquettes of each of the four links.
void forceOf(const FlowRow& row, int b, double* HWY_RESTRICT force) {
  HWY_ALIGN double leftLink[kLink], leftPlaquettes[3 * kAlgebra];
  const double* plaquettes = row.plaquettes + b * kPlaquettes;
  for (int mu = 0; mu < 4; ++mu)
    for (int k = 0; k < kAlgebraNumbers; ++k) {
      Vector sum = hn::Zero(kTag);
      for (int nu = 0; nu < 4; ++nu) {
        if (nu == mu) continue;
        const Vector z = number(plaquettes + kPlaneOf[mu][nu] * kAlgebra, k);
        sum = mu < nu ? hn::Add(sum, z) : hn::Sub(sum, z);
      }
      setNumber(sum, force + mu * kAlgebra, k);
    }
  const int before = (b + row.blocks - 1) % row.blocks, sites = before + 1 < row.blocks ? kLanes : row.tail;
  shiftBehind(row.here + b * kSite, row.here + before * kSite, sites, kLinkNumbers, leftLink);
  shiftBehind(plaquettes, row.plaquettes + before * kPlaquettes, sites, 3 * kAlgebraNumbers, leftPlaquettes);
  for (int nu = 0; nu < 4; ++nu) {
    const double* link = nu == 0 ? leftLink : row.behind[nu] + b * kSite + nu * kLink;
    const double* from = nu == 0 ? leftPlaquettes : row.plaquettesBehind[nu] + b * kPlaquettes;
    for (int mu = 0; mu < 4; ++mu) {
      if (mu == nu) continue;
      const double* z = from + kPlaneOf[mu][nu] * kAlgebra;
      (mu < nu ? addCarried<true> : addCarried<false>)(link, z, force + mu * kAlgebra);
    }
  }
}

void evolveHere(const FlowRow& row) {
  HWY_ALIGN double force[kExponents], first[kLink], second[kLink], halved[kAlgebra];
  const Vector old = hn::Set(kTag, row.old), now = hn::Set(kTag, row.now);
  const Vector half = hn::Set(kTag, 1.0 / static_cast<double>(std::int64_t{1} << row.halvings));
  for (int b = 0; b < row.blocks; ++b) {
    forceOf(row, b, force);
    double* exponent = row.exponent + b * kExponents;
    for (int k = 0; k < 4 * kAlgebraNumbers; ++k) {
      Vector sum = hn::Mul(now, number(force, k));
      if (row.old != 0) sum = hn::MulAdd(old, number(exponent, k), sum);
      setNumber(sum, force, k);
      if (row.keepsExponent) setNumber(sum, exponent, k);
    }
    for (int mu = 0; mu < 4; ++mu) {
      for (int k = 0; k < kAlgebraNumbers; ++k) setNumber(hn::Mul(half, number(force + mu * kAlgebra, k)), halved, k);
      exponential(halved, row.terms, first);
      double *power = first, *next = second;
      for (int k = 0; k < row.halvings; ++k) {
        product(power, power, next);
        std::swap(power, next);
      }
      product(power, row.here + b * kSite + mu * kLink, row.out + b * kSite + mu * kLink);
    }
  }
}

}  // namespace

FlowKernels flowKernelsOfTarget() { return {kLanes, plaquettesHere, evolveHere}; }

}  // namespace HWY_NAMESPACE
}  // namespace sscope::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace sscope::cpu {

FlowKernels flowKernels(SimdLevel level) {
  if (const std::string_view reason = absentReason(level); !reason.empty())
    throw Error(ErrorKind::Unsupported, std::string(reason), "choose another engine");
  switch (level) {
#if HWY_TARGETS & HWY_SSE4
    case SimdLevel::Sse4: return N_SSE4::flowKernelsOfTarget();
#endif
#if HWY_TARGETS & HWY_AVX2
    case SimdLevel::Avx2: return N_AVX2::flowKernelsOfTarget();
#endif
#if HWY_TARGETS & HWY_AVX3
    case SimdLevel::Avx512: return N_AVX3::flowKernelsOfTarget();
#endif
    default: return HWY_STATIC_DISPATCH(flowKernelsOfTarget)();
  }
}

SimdLevel widestLevel() {
  SimdLevel widest = SimdLevel::Scalar;
  for (const SimdLevel level : kSimdLevels)
    if (absentReason(level).empty()) widest = level;
  return widest;
}

}  // namespace sscope::cpu
#endif
