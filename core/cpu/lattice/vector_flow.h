#pragma once
// The Wilson flow with vectors over sites, on all cores.

#include "core/base/control.h"
#include "core/cpu/lattice/link_blocks.h"
#include "core/cpu/lattice/link_kernels.h"
#include "core/cpu/lattice/plaquette_walk.h"

namespace sscope::cpu {

class VectorFlow {
 public:
  // Throws Error(Memory): it takes three copies of the links and half of one. There are no links before setLinks().
  VectorFlow(const lattice::Lattice& lattice, const LinkKernels& kernels);

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

  LinkKernels kernels_;
  BlockShape shape_;
  int current_ = 0;
  LinkBlocks links_[3];  // those of the last whole step, and two for the stages of the next
  AlignedDoubles exponents_;
  PlaquetteWalk walk_;
};

}  // namespace sscope::cpu
