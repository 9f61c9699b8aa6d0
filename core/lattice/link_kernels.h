#pragma once
// The inner loops over links, compiled once per instruction set: plaquettes, a stage of the Wilson flow, and the
// clover's densities. Rows have the blocks of LinkBlocks.
//
// The force of a link and the leaves of a clover are sums over plaquettes that start at the site and of plaquettes that
// start behind it, parallel-transported to the site. So each plaquette is computed only once.

#include "core/cpu/run/simd_level.h"
#include "core/lattice/link_blocks.h"

namespace sscope::cpu {

// The plane of two different directions.
inline constexpr int kPlaneOf[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};

// Vectors per block of plaquettes: elements of the algebra in the order of the planes, and one number.
inline constexpr int kPlaquetteNumbers = kPlanes * kAlgebraNumbers + 1;

// out = the projections of U_mu(x) U_nu(x + mu) U_mu(x + nu)^dagger U_nu(x)^dagger to the algebra, mu < nu.
struct PlaquetteRow {
  int blocks = 1, tail = 1;  // as BlockShape
  const double* here = nullptr;
  const double* ahead[4] = {};   // rows of the links one ahead along y, z, t (1..3)
  const double* next = nullptr;  // ahead[3] of the row to come: the only one not in a cache
  double* out = nullptr;
};

// Rows of links and of plaquettes: here (0), one behind along y, z, t (1..3), and behind along two directions.
inline constexpr int kBehindBoth[4][4] = {{0, 0, 0, 0}, {0, 0, 4, 5}, {0, 4, 0, 6}, {0, 5, 6, 0}};
struct NeighborRows {
  int blocks = 1, tail = 1;
  const double* links[7] = {};
  const double* plaquettes[7] = {};
};

// exponent <- old exponent + now force; out <- exp(exponent) links.
struct FlowRow {
  NeighborRows from;
  double old = 0, now = 0;  // old = 0: the exponent is not read
  bool keepsExponent = true;
  bool streaming = false;      // write out with non-temporal stores
  int terms = 1;               // of the exponential's series
  int halvings = 0;            // of the exponent before the series, and squarings after it
  double* exponent = nullptr;  // elements of the algebra, four a block
  double* out = nullptr;       // overlaps none of the others
};

// As in lattice::Observable, one number per lane.
struct CloverRow {
  NeighborRows from;
  double *energy = nullptr, *charge = nullptr;
  double* plaquette = nullptr;  // the sum over the six planes of Re tr P
};

struct LinkKernels {
  int lanes = 1;
  void (*plaquettes)(const PlaquetteRow& row) = nullptr;
  // The same, with the sum over the planes of Re tr P as the last number.
  void (*tracedPlaquettes)(const PlaquetteRow& row) = nullptr;
  void (*evolve)(const FlowRow& row) = nullptr;
  void (*clover)(const CloverRow& row) = nullptr;  // of traced plaquettes
};
// Of a level that is there (absentReason() empty). Scalar: only instructions that every processor of this build has.
[[nodiscard]] LinkKernels linkKernels(SimdLevel level);

// The widest available level.
[[nodiscard]] SimdLevel widestLevel();

}  // namespace sscope::cpu
