#include "core/lattice/job/lattice_solver.h"

#include "core/base/stopwatch.h"
#include "core/engine/joined_engine.h"
#include "core/lattice/job/cr_trace.h"
#include "core/lattice/ranks/joined_cr.h"
#include "core/lattice/workload/cr_failure.h"
#include "core/volume/volume.h"

namespace sscope {

using namespace lattice;

LatticeSolver::LatticeSolver(Engine& engine, const VariantTable& variants, const std::string& variant,
                             std::shared_ptr<const GaugeField> field, const WilsonParameters& parameters,
                             const SolverOptions& solver, const PrepareOptions& options, const Control& control)
    : solver_(solver),
      lattice_(field->lattice()),
      dirac_(engine, variants, variant, field, parameters, options, control) {
  requireValid(solver_);
  if (dirac_.row().lower)
    exact_ = std::make_unique<DiracOperator>(engine, variants, "", field, parameters, options, control);
  if (solver_.solver != Solver::Cr || variants.rows("cr", engine.info().kind).empty()) return;
  // Those that cannot iterate together apply the operator for the host, which iterates.
  if (const auto* joined = engineIf<JoinedEngine>(engine);
      joined != nullptr && !iteratesTogether(joined->parts(), variants, variant, lattice_))
    return;
  const CrWorkload workload(std::move(field), {parameters, solver_.maxIterations, solver_.twist});
  plan_ = prepareCr(engine, variants, variant, workload, options, control);
}

SolverResult LatticeSolver::solve(const SpinorField& source, const Control& control, const OnIteration& onIteration,
                                  KernelTrace* trace) {
  if (resident()) return solveThere(source, control, onIteration, trace);
  SolverResult result = lattice::solve(dirac_.system(), source, solver_, control, onIteration);
  recheck(source, control, result);
  return result;
}

void LatticeSolver::recheck(const SpinorField& source, const Control& control, SolverResult& result) {
  if (!exact_) return;
  const VectorSpace space(lattice_);
  if (const double norm = sourceNorm(source, space, control); norm > 0)
    finish(truth(), space, source, solver_, norm, control, result);
}

SolverResult LatticeSolver::solveThere(const SpinorField& source, const Control& control,
                                       const OnIteration& onIteration, KernelTrace* trace) {
  const Stopwatch watch;
  SolverResult result;
  result.solver = Solver::Cr;
  result.solution.assign(source.size(), Complex(0));
  const ConstArrayView from = denseView(spinorSpec(lattice_), reinterpret_cast<const std::byte*>(source.data()));
  const ArrayView to = denseView(spinorSpec(lattice_), reinterpret_cast<std::byte*>(result.solution.data()));
  const VectorSpace space(lattice_);
  const double norm = sourceNorm(source, space, control);
  if (norm == 0) {
    result.residuals.push_back(0);
    result.converged = true;
    return result;
  }
  // Progress is the observer's to tell.
  CrOutcome outcome = plan_->solve({{&from, 1}, 0}, {&to, 1},
                                   {solver_.maxIterations, solver_.tolerance, onIteration, trace}, {control.stop, {}});
  result.converged = outcome.end == CrEnd::Converged;
  result.failure = failureOf(outcome);
  result.iterations = outcome.iterations;
  result.residuals = std::move(outcome.residuals);
  report_ = std::move(outcome.report);
  applications_ += outcome.iterations + 1;
  kernelSeconds_ += report_.phases.kernel;
  finish(truth(), space, source, solver_, norm, control, result);
  result.seconds = watch.seconds();
  return result;
}

}  // namespace sscope
