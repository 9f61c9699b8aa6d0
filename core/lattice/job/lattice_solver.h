#pragma once
// D x = b on an engine, for the command line and the window. The conjugate residual runs entirely on the engine: fields
// are uploaded once, a few numbers are read back every few iterations, and kernels can be traced. The other solvers run
// on the host and use the engine only to apply the operator or, with even-odd preconditioning, its hops, which CPU
// engines offer.

#include <memory>
#include <string>

#include "core/lattice/job/dirac_operator.h"
#include "core/lattice/workload/cr_plan.h"
#include "core/lattice/workload/cr_workload.h"

namespace sscope {

class LatticeSolver {
 public:
  // Prepares the operator, and the solver if it runs on the engine. `variant` is a variant of both dirac and cr (tuned,
  // v1.3, ...); empty: the engine's first. Throws what preparing throws.
  LatticeSolver(Engine& engine, const VariantTable& variants, const std::string& variant,
                std::shared_ptr<const lattice::GaugeField> field, const lattice::WilsonParameters& parameters,
                const lattice::SolverOptions& solver, const PrepareOptions& options, const Control& control);

  // Whether the whole solver runs on the engine: cr only.
  [[nodiscard]] bool resident() const { return plan_ != nullptr; }
  // The system for solvers that are not resident.
  [[nodiscard]] lattice::WilsonSystem system() { return dirac_.system(); }
  // The operator, for checks against the formula (DiracOperator::verified).
  [[nodiscard]] DiracOperator& dirac() { return dirac_; }
  // The operator in double precision, for residuals: the same one unless its variant is a lower-precision extra.
  [[nodiscard]] lattice::ApplyDirac truth() { return exact_ ? exact_->apply() : dirac_.apply(); }
  // After lattice::solve() with system(): recomputes the true residual if that operator is of lower precision.
  void recheck(const lattice::SpinorField& source, const Control& control, lattice::SolverResult& result);

  // As lattice::solve(); the true residual is in double precision, whatever the variant computes in. `onIteration` is
  // called on this thread for every iteration, by resident solvers for several at a time. If `trace` is not null,
  // resident solvers record every kernel in it and run slower. May be called repeatedly. Throws Canceled within 100 ms
  // of a stop request, Error(Device).
  [[nodiscard]] lattice::SolverResult solve(const lattice::SpinorField& source, const Control& control,
                                            const lattice::OnIteration& onIteration = {}, KernelTrace* trace = nullptr);

  // The report of the last solve(), or of the operator's last application when not resident.
  [[nodiscard]] const RunReport& report() const { return resident() ? report_ : dirac_.report(); }
  // The number of applications so far, including checks.
  [[nodiscard]] int applications() const { return applications_ + dirac_.applications(); }
  [[nodiscard]] double kernelSeconds() const { return kernelSeconds_ + dirac_.kernelSeconds(); }

 private:
  [[nodiscard]] lattice::SolverResult solveThere(const lattice::SpinorField& source, const Control& control,
                                                 const lattice::OnIteration& onIteration, KernelTrace* trace);

  lattice::SolverOptions solver_;
  lattice::Lattice lattice_;
  DiracOperator dirac_;
  std::unique_ptr<DiracOperator> exact_;  // for true residuals, if dirac_ is of lower precision
  std::shared_ptr<CrPlan> plan_;
  RunReport report_;
  int applications_ = 0;
  double kernelSeconds_ = 0;
};

}  // namespace sscope
