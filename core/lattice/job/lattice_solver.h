#pragma once
// D x = b on an engine, for the command line and the window. The conjugate residual stays on the engine: fields are
// uploaded once, a few numbers come back every some iterations, and it can be traced kernel by kernel. The other
// solvers run on this machine's processor and ask the engine for applications of the operator alone, or for hops
// between the sites of either parity where they are even-odd preconditioned, which engines on the processor offer.

#include <memory>
#include <string>

#include "core/lattice/job/dirac_operator.h"
#include "core/lattice/workload/cr_plan.h"
#include "core/lattice/workload/cr_workload.h"

namespace sscope {

class LatticeSolver {
 public:
  // Prepares the operator, and the solver where it stays on the engine. `variant` is one of dirac and of cr alike
  // (tuned, v1.3, ...); empty: the engine's first. Throws what preparing throws.
  LatticeSolver(Engine& engine, const VariantTable& variants, const std::string& variant,
                std::shared_ptr<const lattice::GaugeField> field, const lattice::WilsonParameters& parameters,
                const lattice::SolverOptions& solver, const PrepareOptions& options, const Control& control);

  // True where all of it stays on the engine: solver cr.
  [[nodiscard]] bool resident() const { return plan_ != nullptr; }
  // What the solvers that are not resident work on.
  [[nodiscard]] lattice::WilsonSystem system() { return dirac_.system(); }
  // The operator, for checks against the formula (DiracOperator::verified).
  [[nodiscard]] DiracOperator& dirac() { return dirac_; }
  // The operator in double precision, for residuals: that one where its variant is no extra of lower precision.
  [[nodiscard]] lattice::ApplyDirac truth() { return exact_ ? exact_->apply() : dirac_.apply(); }
  // After lattice::solve() with system(): finds the true residual anew where that operator is of lower precision.
  void recheck(const lattice::SpinorField& source, const Control& control, lattice::SolverResult& result);

  // As lattice::solve(); the true residual is in double precision, whatever the variant computes in. `onIteration` is
  // called on this thread for every iteration; where the solver is resident, for some of them at a time. Not null:
  // `trace` is given the time of every kernel, of resident solvers only, which are slower then. May be called again.
  // Throws Canceled within 100 ms of a stop request, Error(Device).
  [[nodiscard]] lattice::SolverResult solve(const lattice::SpinorField& source, const Control& control,
                                            const lattice::OnIteration& onIteration = {}, KernelTrace* trace = nullptr);

  // Of the last solve(): what ran, and seconds of its phases. Of the operator's last application where it is not
  // resident.
  [[nodiscard]] const RunReport& report() const { return resident() ? report_ : dirac_.report(); }
  // Of everything so far, checks included.
  [[nodiscard]] int applications() const { return applications_ + dirac_.applications(); }
  [[nodiscard]] double kernelSeconds() const { return kernelSeconds_ + dirac_.kernelSeconds(); }

 private:
  [[nodiscard]] lattice::SolverResult solveThere(const lattice::SpinorField& source, const Control& control,
                                                 const lattice::OnIteration& onIteration, KernelTrace* trace);

  lattice::SolverOptions solver_;
  lattice::Lattice lattice_;
  DiracOperator dirac_;
  std::unique_ptr<DiracOperator> exact_;  // for true residuals, where the above is of lower precision
  std::unique_ptr<CrPlan> plan_;
  RunReport report_;
  int applications_ = 0;
  double kernelSeconds_ = 0;
};

}  // namespace sscope
