#pragma once
// The inner loops of a stage of the Wilson flow, compiled once per instruction set. A row has the same blocks as
// LinkBlocks; plaquettes are elements of the algebra, six a block in the order of the planes.
//
// The force of a link is a sum over plaquettes: those ahead begin at the link's own site, those behind are the
// plaquettes of the site behind, carried here along the link between. So each plaquette is computed once.

#include "core/cpu/lattice/link_blocks.h"
#include "core/cpu/simd_level.h"

namespace sscope::cpu {

// The plane of two different directions.
inline constexpr int kPlaneOf[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};

// out = the projection of U_mu(x) U_nu(x + mu) U_mu(x + nu)^dagger U_nu(x)^dagger to the algebra, mu < nu.
struct PlaquetteRow {
  int blocks = 1, tail = 1;  // as BlockShape
  const double* here = nullptr;
  const double* ahead[4] = {};  // rows of the links one ahead along y, z, t (1..3)
  double* out = nullptr;
};

// exponent <- old exponent + now force; out <- exp(exponent) links.
struct FlowRow {
  int blocks = 1, tail = 1;
  double old = 0, now = 0;  // old = 0: what the exponent was is not read
  bool keepsExponent = true;
  int terms = 1;     // of the exponential's series
  int halvings = 0;  // of the exponent before, squarings after it
  const double* here = nullptr;
  const double* behind[4] = {};  // rows of the links one behind along y, z, t
  const double* plaquettes = nullptr;
  const double* plaquettesBehind[4] = {};
  double* exponent = nullptr;  // elements of the algebra, four a block
  double* out = nullptr;       // another row than all of those
};

struct FlowKernels {
  int lanes = 1;
  void (*plaquettes)(const PlaquetteRow& row) = nullptr;
  void (*evolve)(const FlowRow& row) = nullptr;
};
// Of a level that is there (absentReason() empty). Scalar: the vectors that every processor of this build has.
[[nodiscard]] FlowKernels flowKernels(SimdLevel level);

// The widest level that is there.
[[nodiscard]] SimdLevel widestLevel();

}  // namespace sscope::cpu
