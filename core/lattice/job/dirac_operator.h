#pragma once
// Wilson's operator on an engine, with the interface that the solvers use.

#include <memory>
#include <string>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/lattice/solver.h"
#include "core/lattice/workload/dirac_workload.h"
#include "core/lattice/workload/hop_plan.h"
#include "core/measure/verify.h"

namespace sscope {

class DiracOperator {
 public:
  // Prepares the operator; the adjoint is prepared on first use. An empty variant means the engine's first. Throws what
  // preparing throws.
  DiracOperator(Engine& engine, const VariantTable& variants, std::string variant,
                std::shared_ptr<const lattice::GaugeField> field, const lattice::WilsonParameters& parameters,
                const PrepareOptions& options, const Control& control);

  // For solve(); refer to this object. Throw Canceled, Error(Device).
  [[nodiscard]] lattice::ApplyDirac apply();
  // The same with hops between even and odd sites, if the engine's variant has them.
  [[nodiscard]] lattice::WilsonSystem system();
  // The variant in use.
  [[nodiscard]] const Variant& row() const;
  // One application to a random source, compared with the formula, by the row's own bound.
  [[nodiscard]] Verification verified(const Control& control);
  // The report of the last application or hop, but with the kernel seconds of all.
  [[nodiscard]] const RunReport& report() const { return report_; }
  [[nodiscard]] double kernelSeconds() const { return kernelSeconds_; }
  // A hop to one parity counts as half an application.
  [[nodiscard]] int applications() const { return applications_ + hops_ / 2; }

 private:
  void run(bool adjoint, const lattice::SpinorField& in, lattice::SpinorField& out, const Control& control);
  void hop(const lattice::Hops& hops, const lattice::SpinorField& in, lattice::SpinorField& out,
           const Control& control);

  Engine& engine_;
  const VariantTable& variants_;
  std::string variant_;
  PrepareOptions options_;
  DiracWorkload forward_, adjoint_;
  std::unique_ptr<Plan> forwardPlan_, adjointPlan_;
  HopPlan* hopPlan_;  // forwardPlan_, where it is one
  RunReport report_;
  double kernelSeconds_ = 0;
  int applications_ = 0, hops_ = 0;
};

}  // namespace sscope
