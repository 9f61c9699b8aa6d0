#include "core/lattice/ranks/rank_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/lattice/ranks/dirac_check.h"
#include "core/lattice/ranks/halo.h"
#include "core/lattice/ranks/part_input.h"
#include "core/lattice/ranks/spread.h"
#include "core/lattice/vector_space.h"
#include "core/lattice/workload/cr_failure.h"
#include "core/reach/agreed.h"
#include "core/reach/worst_of_ranks.h"

namespace sscope::lattice {

namespace {

const LatticePart& partOf(const reach::Communicator& communicator, const std::vector<LatticePart>& parts) {
  return parts.at(static_cast<std::size_t>(communicator.rank()));
}

const SolverOptions& checked(const SolverOptions& solver) {
  requireValid(solver);
  if (solver.solver != Solver::Cr)
    throw Error(ErrorKind::Usage, "ranks share the solver cr only, not " + std::string(toString(solver.solver)),
                "give --solver cr");
  return solver;
}

// A number that the first rank has found, or the error that kept it from that.
template <class Find>
double foundByFirst(reach::Communicator& communicator, const Control& control, Find&& find) {
  double value = 0;
  reach::agreed(communicator, control, [&] {
    if (communicator.rank() == 0) value = find();
  });
  communicator.broadcast(std::as_writable_bytes(std::span(&value, 1)), 0, control);
  return value;
}

}  // namespace

RankSolver::RankSolver(reach::Communicator& communicator, std::vector<LatticePart> parts, const GaugeField& links,
                       const WilsonParameters& parameters, const SolverOptions& solver, Engine& engine,
                       const VariantTable& variants, const std::string& variant, const PrepareOptions& options,
                       const Control& control)
    : parts_(std::move(parts)),
      parameters_(parameters),
      solver_(checked(solver)),
      row_(variants.at("dirac", engine.info().kind, variant)),
      links_(std::make_shared<GaugeField>(withHalo(links, partOf(communicator, parts_), communicator, control))),
      cr_(partOf(communicator, parts_), links_, {parameters, solver.maxIterations, solver.twist}, engine, variants,
          variant, options, control),
      dirac_(communicator, partOf(communicator, parts_), links_, parameters, engine, variants, variant, options,
             control) {
  if (row_.lower)
    exact_ =
        std::make_unique<RankDirac>(communicator, part(), links_, parameters, engine, variants, "", options, control);
}

Verification RankSolver::verified(reach::Communicator& communicator, const Control& control) {
  constexpr std::uint64_t kSeed = 1;
  const SpinorField in = hashOfPart(part(), kSeed, false);
  SpinorField out = zeroSpinor(part().own, control), extended = hashOfPart(part(), kSeed, true);
  dirac_.apply(communicator, false, in, out, control);
  ++applications_;
  const Verification own = verifyPart(row_, part(), links_, parameters_, extended, out, {}, control);
  reach::agreed(communicator, control, [&] {
    if (!own.verified)
      throw Error(ErrorKind::Device,
                  "the operator of rank " + std::to_string(communicator.rank()) +
                      " does not agree with the formula: " + own.failure,
                  "choose another engine or variant");
  });
  return reach::worstOfRanks(own, communicator, control);
}

SolverResult RankSolver::solve(reach::Communicator& communicator, const SpinorField& source,
                               const OnIteration& onIteration, const Control& control) {
  const Stopwatch watch;
  const double norm = foundByFirst(communicator, control, [&] { return sourceNorm(source, control); });
  SolverResult result;
  result.solver = Solver::Cr;
  if (norm == 0) {
    result.solution.assign(source.size(), Complex(0));
    result.residuals.push_back(0);
    result.converged = true;
    return result;
  }
  const SpinorField own = dealtOut(source, parts_, communicator, control);
  SpinorField solution = zeroSpinor(part().own, control);
  CrRequest request{solver_.maxIterations, solver_.tolerance, {}, nullptr};
  if (communicator.rank() == 0) request.onIteration = onIteration;
  const std::int64_t slice = kSpinorElements * part().own.spatialVolume();
  CrOutcome outcome = cr_.solve(communicator, {own.data(), solution.data(), slice}, request, {control.stop, {}});
  result.converged = outcome.end == CrEnd::Converged;
  result.failure = failureOf(outcome);
  result.iterations = outcome.iterations;
  result.residuals = std::move(outcome.residuals);
  report_ = std::move(outcome.report);
  applications_ += outcome.iterations + 1;
  kernelSeconds_ += report_.phases.kernel;
  result.trueResidual = trueResidual(communicator, own, solution, norm, control);
  settle(solver_, result);
  result.solution = collected(solution, parts_, communicator, control);
  result.seconds = watch.seconds();
  return result;
}

// |b - D x| / |b|, or with a twist |gamma_5 b - (gamma_5 D + i twist) x| / |b|; the norm is taken by the first rank, in
// the order of one process.
double RankSolver::trueResidual(reach::Communicator& communicator, const SpinorField& source,
                                const SpinorField& solution, double norm, const Control& control) {
  SpinorField residual(source.size());
  (exact_ ? *exact_ : dirac_).apply(communicator, false, solution, residual, control);
  ++applications_;
  scaleAdd(source, -1, residual, control);
  if (solver_.twist != 0) {
    applyGamma5(residual, control);
    addScaled({0, -solver_.twist}, solution, residual, control);
  }
  const SpinorField whole = collected(residual, parts_, communicator, control);
  return foundByFirst(communicator, control, [&] { return std::sqrt(norm2(whole, control)) / norm; });
}

}  // namespace sscope::lattice
