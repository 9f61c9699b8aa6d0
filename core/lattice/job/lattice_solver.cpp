#include "core/lattice/job/lattice_solver.h"

#include "core/base/ability.h"
#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/engine/joined_engine.h"
#include "core/lattice/ranks/joined_lattice.h"
#include "core/lattice/workload/cr_workload.h"
#include "core/measure/verify.h"
#include "core/volume/volume.h"

namespace sscope {

using namespace lattice;

namespace {

WilsonParameters adjointOf(WilsonParameters parameters) {
  parameters.adjoint = !parameters.adjoint;
  return parameters;
}

ConstArrayView viewOf(const Lattice& lattice, const SpinorField& field) {
  return denseView(spinorSpec(lattice), reinterpret_cast<const std::byte*>(field.data()));
}

ArrayView viewOf(const Lattice& lattice, SpinorField& field) {
  return denseView(spinorSpec(lattice), reinterpret_cast<std::byte*>(field.data()));
}

}  // namespace

DiracOperator::DiracOperator(Engine& engine, const VariantTable& variants, std::string variant,
                             std::shared_ptr<const GaugeField> field, const WilsonParameters& parameters,
                             const PrepareOptions& options, const Control& control)
    : engine_(engine),
      variants_(variants),
      variant_(std::move(variant)),
      options_(options),
      forward_(field, parameters),
      adjoint_(field, adjointOf(parameters)),
      forwardPlan_(variants.prepare(engine, forward_, variant_, options, control)),
      hopPlan_(abilityOf<HopPlan>(*forwardPlan_)) {}

const Variant& DiracOperator::row() const { return variants_.at(forward_.name(), engine_.info().kind, variant_); }

ApplyDirac DiracOperator::apply() {
  return [this](bool adjoint, const SpinorField& in, SpinorField& out, const Control& control) {
    run(adjoint, in, out, control);
  };
}

WilsonSystem DiracOperator::system() {
  WilsonSystem system{apply(), forward_.field().lattice(), {}, {}};
  if (hopPlan_ != nullptr) {
    system.hops = [this](const Hops& hops, const SpinorField& in, SpinorField& out, const Control& control) {
      hop(hops, in, out, control);
    };
  } else {
    system.withoutHops = engine_.info().id + ' ' + row().name + " applies the operator to all sites at a time";
  }
  return system;
}

void DiracOperator::hop(const Hops& hops, const SpinorField& in, SpinorField& out, const Control& control) {
  report_ = hopPlan_->hop(hops, in, out, {control.stop, {}});
  kernelSeconds_ += report_.phases.kernel;
  ++hops_;
}

void DiracOperator::run(bool adjoint, const SpinorField& in, SpinorField& out, const Control& control) {
  if (adjoint && !adjointPlan_) adjointPlan_ = variants_.prepare(engine_, adjoint_, variant_, options_, control);
  const Lattice& lattice = forward_.field().lattice();
  out.resize(in.size());
  const ConstArrayView from = viewOf(lattice, in);
  const ArrayView to = viewOf(lattice, out);
  // The solver reports progress.
  report_ = (adjoint ? adjointPlan_ : forwardPlan_)->run({{&from, 1}, 0}, {&to, 1}, {control.stop, {}});
  kernelSeconds_ += report_.phases.kernel;
  ++applications_;
}

Verification DiracOperator::verified(const Control& control) {
  const Lattice& lattice = forward_.field().lattice();
  const SpinorField in = hashSource(lattice, 1);
  SpinorField out(in.size());
  poison(viewOf(lattice, out));
  run(false, in, out, control);
  const ConstArrayView from = viewOf(lattice, in), to = viewOf(lattice, std::as_const(out));
  return verify(row(), forward_, {&from, 1}, {&to, 1}, {}, control);
}

std::shared_ptr<CrPlan> prepareCr(Engine& engine, const VariantTable& variants, const std::string& variant,
                                  const CrWorkload& workload, const PrepareOptions& options, const Control& control) {
  const std::shared_ptr<Plan> plan = variants.prepare(engine, workload, variant, options, control);
  auto* cr = abilityOf<CrPlan>(*plan);
  if (cr == nullptr)
    throw Error(ErrorKind::Unsupported,
                "the variant " + variants.at(workload.name(), engine.info().kind, variant).name +
                    " of cr reports no iterations",
                "choose another one");
  return {plan, cr};
}

KernelTrace traceCr(Engine& engine, const VariantTable& variants, const std::string& variant,
                    const CrWorkload& workload, const ConstArrayView& input, const PrepareOptions& options,
                    const Control& control) {
  const auto plan = prepareCr(engine, variants, variant, workload, options, control);
  std::vector<double> solution(static_cast<std::size_t>(input.elements()));
  const ArrayView output = denseView(workload.outputs()[0], reinterpret_cast<std::byte*>(solution.data()));
  CrRequest request;
  request.iterations = workload.cr().iterations;
  static_cast<void>(plan->solve({{&input, 1}, 0}, {&output, 1}, request, control));
  KernelTrace trace;
  request.trace = &trace;
  static_cast<void>(plan->solve({{&input, 1}, 0}, {&output, 1}, request, control));
  return trace;
}

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
  // Engines that cannot iterate together only apply the operator; the host iterates.
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
  // The observer reports progress.
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
