#pragma once
// The Wilson flow with vectors over sites, on all cores.
//
// A stage walks tiles of the lattice through time. The plaquettes of a tile's slice and of the one before are kept in
// the second-level cache, and from both follow the slice's new links, so the links are read once and written once.

#include <tbb/enumerable_thread_specific.h>

#include <cstdint>

#include "core/base/control.h"
#include "core/cpu/lattice/flow_kernels.h"
#include "core/cpu/lattice/link_blocks.h"

namespace sscope::cpu {

// Sites of one tile: all of x, and ranges of y, z and t.
struct FlowTile {
  int begin[4] = {}, end[4] = {};
};

class VectorFlow {
 public:
  // Throws Error(Memory): it takes three copies of the links and half of one. There are no links before setLinks().
  VectorFlow(const lattice::Lattice& lattice, const FlowKernels& kernels);

  // The links to go on from. Throws Canceled; then they are those of before.
  void setLinks(const lattice::GaugeField& field, const Control& control);
  [[nodiscard]] const LinkBlocks& links() const { return links_[current_]; }

  // A step of Luescher's scheme, in three stages, which are told as progress. A stop is looked for at every row of
  // sites. Throws Canceled; then the links are those of the last whole step. The result does not depend on
  // the number of threads; that of two SIMD levels may differ in the last digits, because not all have a fused
  // multiply-add.
  void step(double epsilon, const Control& control);

 private:
  struct Stage {
    double old, now;  // factors of the exponent before and of the force
    bool keepsExponent;
    int from, to;  // of links_
    int terms, halvings;
  };
  void run(const Stage& stage, const Control& control);
  void walk(const Stage& stage, const FlowTile& tile, const Control& control);

  FlowKernels kernels_;
  BlockShape shape_;
  int current_ = 0;
  LinkBlocks links_[3];  // those of the last whole step, and two for the stages of the next
  AlignedDoubles exponents_;
  int tileY_ = 1, tileZ_ = 1, tileT_ = 1;
  tbb::enumerable_thread_specific<AlignedDoubles> plaquettes_;  // of two slices of a tile
};

}  // namespace sscope::cpu
