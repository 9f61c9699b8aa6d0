#pragma once
// What a plan of the workload dirac can do besides applying the operator: its hops between the sites of either parity,
// for even-odd preconditioning. Fields are the host's.

#include "core/engine/run_report.h"
#include "core/lattice/even_odd.h"

namespace sscope {

class HopPlan {
 public:
  virtual ~HopPlan() = default;
  // out <- center + sign kappa H in (lattice::Hops), with the kappa of the workload and, where that is the adjoint
  // operator, the other adjoint. Every extent of the lattice is even. Throws as Plan::run(), Error(Usage) for fields of
  // other sizes.
  virtual RunReport hop(const lattice::Hops& hops, const lattice::SpinorField& in, lattice::SpinorField& out,
                        const Control& control) = 0;
};

}  // namespace sscope
