#pragma once
// Loops over the links of a gauge field with vectors over sites, on all cores: plaquettes, the densities of energy and
// charge, and the Wilson flow.

#include <tbb/enumerable_thread_specific.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/control.h"
#include "core/lattice/link_blocks.h"

namespace sscope::cpu {

// Visits the plaquettes of a gauge field on all cores: each is computed once and used by the sites ahead of it while it
// is in the cache.
//
// Each tile of the lattice is processed slice by slice in time. The plaquettes of the current and the previous slice
// stay in the second-level cache; those at the tile's borders are computed by both sides. So links are read once.
class PlaquetteWalk {
 public:
  PlaquetteWalk() = default;
  explicit PlaquetteWalk(const BlockShape& shape);

  using Kernel = void (*)(const PlaquetteRow& row);
  using Visit = std::function<void(std::int64_t row, const NeighborRows& neighbors)>;
  // Calls visit once for every row of sites, in no particular order, on many threads. Checks for cancellation at every
  // row. Throws Canceled, with some rows not visited, and Error(Memory).
  void run(const LinkBlocks& links, Kernel kernel, const Control& control, const Visit& visit);

 private:
  // Sites of one tile: all of x, and ranges of y, z and t.
  struct Tile {
    int begin[4] = {}, end[4] = {};
  };
  struct Task;
  void walk(const Task& task, const Tile& tile);

  BlockShape shape_;
  int tile_[4] = {1, 1, 1, 1};                                  // sites
  tbb::enumerable_thread_specific<AlignedDoubles> plaquettes_;  // of two slices of a tile
};

// Energy and charge of the clover with vectors over sites, on all cores.

// One number per site, in the order of sites.
struct CloverDensities {
  std::vector<double> energy, charge;  // as lattice::Observable
  std::vector<double> plaquette;       // the sum over the six planes of Re tr P
};
// For unitary links, since leaves are parallel-transported from site to site. The result does not depend on the number
// of threads. Throws Canceled, Error(Memory).
[[nodiscard]] CloverDensities cloverDensities(const LinkBlocks& links, const LinkKernels& kernels,
                                              const Control& control);

// The Wilson flow with vectors over sites, on all cores.
class VectorFlow {
 public:
  // Throws Error(Memory): it takes three copies of the links and half of one. There are no links before setLinks().
  VectorFlow(const lattice::Lattice& lattice, const LinkKernels& kernels);

  // Sets the links to start from. Throws Canceled and then keeps the old ones.
  void setLinks(const lattice::GaugeField& field, const Control& control);
  [[nodiscard]] const LinkBlocks& links() const { return links_[current_]; }

  // A step of Luescher's scheme in three stages, with progress. Checks for cancellation at every row of sites. Throws
  // Canceled and then keeps the links of the last whole step. The result does not depend on the number of threads; its
  // last digits may differ between SIMD levels, since not all have fused multiply-add.
  void step(double epsilon, const Control& control);

 private:
  struct Stage {
    double old, now;  // factors of the exponent before and of the force
    bool keepsExponent;
    int from, to;  // of links_
    int terms, halvings;
  };
  void run(const Stage& stage, const Control& control);

  LinkKernels kernels_;
  BlockShape shape_;
  int current_ = 0;
  LinkBlocks links_[3];  // the last whole step, and two for the stages of the next
  AlignedDoubles exponents_;
  PlaquetteWalk walk_;
};

}  // namespace sscope::cpu
