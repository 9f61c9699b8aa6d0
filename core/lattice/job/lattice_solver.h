#pragma once
// Wilson's operator and the solvers on an engine.

#include <memory>
#include <string>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/lattice/solver.h"
#include "core/lattice/workload/cr_workload.h"
#include "core/lattice/workload/dirac_workload.h"
#include "core/measure/verify.h"

namespace sscope {

// Wilson's operator on an engine, with the interface that the solvers use.
class DiracOperator {
 public:
  // Prepares the operator; the adjoint is prepared on first use. An empty variant means the engine's first. Throws what
  // preparing throws.
  DiracOperator(Engine& engine, const VariantTable& variants, std::string variant,
                std::shared_ptr<const lattice::GaugeField> field, const lattice::WilsonParameters& parameters,
                const PrepareOptions& options, const Control& control);

  // For solve(). Both refer to this object and throw Canceled, Error(Device).
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
  HopPlan* hopPlan_;  // the ability of forwardPlan_; null if it has none
  RunReport report_;
  double kernelSeconds_ = 0;
  int applications_ = 0, hops_ = 0;
};

// Plans of the workload cr that solve, and their kernel traces.

// The plan that VariantTable::prepare() makes, by its ability. Throws as that does, and Error(Unsupported) for a plan
// without it.
[[nodiscard]] std::shared_ptr<CrPlan> prepareCr(Engine& engine, const VariantTable& variants,
                                                const std::string& variant, const CrWorkload& workload,
                                                const PrepareOptions& options, const Control& control);

// The kernel trace of one run, after a warm-up run.
[[nodiscard]] KernelTrace traceCr(Engine& engine, const VariantTable& variants, const std::string& variant,
                                  const CrWorkload& workload, const ConstArrayView& input,
                                  const PrepareOptions& options, const Control& control);

// D x = b on an engine, for the command line and the window. The conjugate residual runs entirely on the engine: fields
// are uploaded once, a few numbers are read back every few iterations, and kernels can be traced. The other solvers run
// on the host and use the engine only to apply the operator or, with even-odd preconditioning, its hops, which CPU
// engines offer.
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
