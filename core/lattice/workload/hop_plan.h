#pragma once
// Plans of the workload dirac that can also apply the hops between even and odd sites alone, for even-odd
// preconditioning. Fields are in host memory.

#include "core/engine/run_report.h"
#include "core/lattice/even_odd.h"

namespace sscope {

class HopPlan {
 public:
  virtual ~HopPlan() = default;
  // out <- center + sign kappa H in (lattice::Hops), with the workload's kappa; if the workload is the adjoint
  // operator, `adjoint` is inverted. All extents of the lattice must be even. Throws as Plan::run(), Error(Usage) for
  // fields of other sizes.
  virtual RunReport hop(const lattice::Hops& hops, const lattice::SpinorField& in, lattice::SpinorField& out,
                        const Control& control) = 0;
};

}  // namespace sscope
