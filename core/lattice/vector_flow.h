#pragma once
// The Wilson flow with vectors over sites, on all cores.

#include "core/base/control.h"
#include "core/lattice/link_blocks.h"
#include "core/lattice/link_kernels.h"
#include "core/lattice/plaquette_walk.h"

namespace sscope::cpu {

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
