// The lanes are sites along x: numbers move between lanes only for neighbors along x, which are shifted once and used
// often.

#include <hwy/cache_control.h>

#include <numbers>
#include <utility>

#include "core/base/error.h"
#include "core/lattice/link_blocks.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/lattice/link_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_STATIC_TARGET
HWY_BEFORE_NAMESPACE();
namespace sscope::cpu {
namespace HWY_NAMESPACE {
namespace {

#include "core/cpu/lattice/su3_vectors-inl.h"

constexpr int kSite = 4 * kLink, kPlaquettes = kPlaquetteNumbers * kLanes, kExponents = 4 * kAlgebra;
constexpr int kLine = 8;  // doubles of a cache line

template <bool kTraced>
void plaquettesHere(const PlaquetteRow& row) {
  HWY_ALIGN double right[3 * kLink], first[kLink], second[kLink];
  for (int b = 0; b < row.blocks; ++b) {
    const bool last = b + 1 == row.blocks;
    const double* here = row.here + b * kSite;
    shiftAhead(here + kLink, (last ? row.here : here + kSite) + kLink, last ? row.tail : kLanes, 3 * kLinkNumbers,
               right);
    double* out = row.out + b * kPlaquettes;
    Vector trace = hn::Zero(kTag);
    for (int k = 0; k < kSite; k += kLine) hwy::Prefetch(row.next + b * kSite + k);
    for (int mu = 0; mu < 3; ++mu)
      for (int nu = mu + 1; nu < 4; ++nu) {
        const double* ahead = mu == 0 ? right + (nu - 1) * kLink : row.ahead[mu] + b * kSite + nu * kLink;
        product(here + mu * kLink, ahead, first);
        product(here + nu * kLink, row.ahead[nu] + b * kSite + mu * kLink, second);
        projectedProduct(first, second, out + kPlaneOf[mu][nu] * kAlgebra);
        if (kTraced) trace = hn::Add(trace, realTrace(first, second));
      }
    if (kTraced) setNumber(trace, out, kPlaquetteNumbers - 1);
  }
}

// The sites one behind a block along x.
struct Left {
  HWY_ALIGN double link[kLink];
  HWY_ALIGN double plaquettes[3 * kAlgebra];  // of the planes of x
};
void shiftLeft(const NeighborRows& from, int row, int b, Left& left) {
  const int before = (b + from.blocks - 1) % from.blocks, sites = before + 1 < from.blocks ? kLanes : from.tail;
  const double *links = from.links[row], *plaquettes = from.plaquettes[row];
  shiftBehind(links + b * kSite, links + before * kSite, sites, kLinkNumbers, left.link);
  shiftBehind(plaquettes + b * kPlaquettes, plaquettes + before * kPlaquettes, sites, 3 * kAlgebraNumbers,
              left.plaquettes);
}

// force = the six plaquettes of each of the four links.
void forceOf(const NeighborRows& from, int b, double* HWY_RESTRICT force) {
  const double* plaquettes = from.plaquettes[0] + b * kPlaquettes;
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
  Left left;
  shiftLeft(from, 0, b, left);
  for (int nu = 0; nu < 4; ++nu) {
    const double* link = nu == 0 ? left.link : from.links[nu] + b * kSite + nu * kLink;
    const double* behind = nu == 0 ? left.plaquettes : from.plaquettes[nu] + b * kPlaquettes;
    for (int mu = 0; mu < 4; ++mu) {
      if (mu == nu) continue;
      const double* z = behind + kPlaneOf[mu][nu] * kAlgebra;
      (mu < nu ? addCarried<true> : addCarried<false>)(link, z, force + mu * kAlgebra);
    }
  }
}

template <bool kStreaming>
void evolve(const FlowRow& row) {
  HWY_ALIGN double force[kExponents], first[kLink], second[kLink], halved[kAlgebra];
  const Vector old = hn::Set(kTag, row.old), now = hn::Set(kTag, row.now);
  const Vector half = hn::Set(kTag, 1.0 / static_cast<double>(std::int64_t{1} << row.halvings));
  for (int b = 0; b < row.from.blocks; ++b) {
    forceOf(row.from, b, force);
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
      product<kStreaming>(power, row.from.links[0] + b * kSite + mu * kLink, row.out + b * kSite + mu * kLink);
    }
  }
  if constexpr (kStreaming) hwy::FlushStream();
}

void evolveHere(const FlowRow& row) { (row.streaming ? evolve<true> : evolve<false>)(row); }

// The sum of a clover's four leaves, projected to the algebra: the field strength is -i / 4 times that.
void cloverOf(const NeighborRows& from, int b, int mu, int nu, const Left& left, const Left& leftBehind,
              double* HWY_RESTRICT sum) {
  const int plane = kPlaneOf[mu][nu];
  const auto plaquette = [&](int row) { return from.plaquettes[row] + b * kPlaquettes + plane * kAlgebra; };
  const auto link = [&](int row, int direction) { return from.links[row] + b * kSite + direction * kLink; };
  HWY_ALIGN double behind[kAlgebra];  // the two leaves behind along nu, before the transport
  for (int k = 0; k < kAlgebraNumbers; ++k) {
    setNumber(number(plaquette(0), k), sum, k);
    setNumber(number(plaquette(nu), k), behind, k);
  }
  if (mu == 0) {
    addCarried<false>(left.link, left.plaquettes + plane * kAlgebra, sum);
    addCarried<false>(leftBehind.link, leftBehind.plaquettes + plane * kAlgebra, behind);
  } else {
    addCarried<false>(link(mu, mu), plaquette(mu), sum);
    addCarried<false>(link(kBehindBoth[mu][nu], mu), plaquette(kBehindBoth[mu][nu]), behind);
  }
  addCarried<false>(link(nu, nu), behind, sum);
}

void cloverHere(const CloverRow& row) {
  HWY_ALIGN double clover[kPlanes * kAlgebra];
  Left left, leftBehind;
  const Vector sixteenth = hn::Set(kTag, 1.0 / 16);
  const Vector ofCharge = hn::Set(kTag, 1.0 / (64 * std::numbers::pi * std::numbers::pi));
  for (int b = 0; b < row.from.blocks; ++b) {
    shiftLeft(row.from, 0, b, left);
    for (int nu = 1; nu < 4; ++nu) {
      shiftLeft(row.from, nu, b, leftBehind);
      for (int mu = 0; mu < nu; ++mu)
        cloverOf(row.from, b, mu, nu, left, leftBehind, clover + kPlaneOf[mu][nu] * kAlgebra);
    }
    const auto inner = [&](int first, int second) {
      return minusTraceOfProduct(clover + first * kAlgebra, clover + second * kAlgebra);
    };
    Vector energy = inner(0, 0);
    for (int plane = 1; plane < kPlanes; ++plane) energy = hn::Add(energy, inner(plane, plane));
    const Vector charge = hn::Add(hn::Sub(inner(0, 5), inner(1, 4)), inner(2, 3));
    setNumber(hn::Mul(sixteenth, energy), row.energy, b);
    setNumber(hn::Mul(ofCharge, charge), row.charge, b);
    setNumber(number(row.from.plaquettes[0] + b * kPlaquettes, kPlaquetteNumbers - 1), row.plaquette, b);
  }
}

}  // namespace

LinkKernels linkKernelsOfTarget() {
  return {kLanes, plaquettesHere<false>, plaquettesHere<true>, evolveHere, cloverHere};
}

}  // namespace HWY_NAMESPACE
}  // namespace sscope::cpu
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
#include "core/cpu/run/of_level.h"

namespace sscope::cpu {

LinkKernels linkKernels(SimdLevel level) {
  if (const std::string_view reason = absentReason(level); !reason.empty())
    throw Error(ErrorKind::Unsupported, std::string(reason), "choose another engine");
  return SSCOPE_OF_LEVEL(level, HWY_STATIC_DISPATCH(linkKernelsOfTarget), linkKernelsOfTarget)();
}

SimdLevel widestLevel() {
  SimdLevel widest = SimdLevel::Scalar;
  for (const SimdLevel level : kSimdLevels)
    if (absentReason(level).empty()) widest = level;
  return widest;
}

}  // namespace sscope::cpu
#endif
