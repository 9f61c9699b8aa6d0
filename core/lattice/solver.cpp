#include "core/lattice/solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/stopwatch.h"
#include "core/lattice/krylov.h"
#include "core/lattice/vector_space.h"

namespace sscope::lattice {

namespace {

constexpr std::array<std::pair<Solver, std::string_view>, 5> kNames{{{Solver::Auto, "auto"},
                                                                     {Solver::Cr, "cr"},
                                                                     {Solver::Gcr, "gcr"},
                                                                     {Solver::BiCgStab, "bicgstab"},
                                                                     {Solver::Cgnr, "cgnr"}}};

void run(Solver solver, KrylovRun& run) {
  switch (solver) {
    case Solver::Cr: return conjugateResidual(run);
    case Solver::Gcr: return generalizedConjugateResidual(run);
    case Solver::Auto:
    case Solver::BiCgStab: return biCgStab(run);
    case Solver::Cgnr: return conjugateGradientNormal(run);
  }
}

double trueResidual(const ApplyDirac& dirac, const SpinorField& source, const SpinorField& solution, double twist,
                    double norm, const Control& control) {
  SpinorField residual(source.size());
  dirac(false, solution, residual, control);
  scaleAdd(source, -1, residual, control);
  if (twist != 0) {
    applyGamma5(residual, control);
    addScaled({0, -twist}, solution, residual, control);
  }
  return std::sqrt(norm2(residual, control)) / norm;
}

}  // namespace

Solver solverNamed(std::string_view name) {
  std::string known;
  for (const auto& [solver, text] : kNames) {
    if (text == name) return solver;
    known += (known.empty() ? "" : ", ") + std::string(text);
  }
  throw Error(ErrorKind::Usage, "there is no solver " + std::string(name), "use one of " + known);
}

std::string_view toString(Solver solver) {
  return std::find_if(kNames.begin(), kNames.end(), [&](const auto& one) { return one.first == solver; })->second;
}

void requireValid(const SolverOptions& options) {
  if (!(options.tolerance > 0 && options.tolerance < 1))
    throw Error(ErrorKind::Usage, "the tolerance is out of range", "give one above 0 and below 1");
  if (!std::isfinite(options.twist)) throw Error(ErrorKind::Usage, "the twist is not a finite number", "give another");
  if (options.maxIterations < 1)
    throw Error(ErrorKind::Usage, "the number of iterations is out of range", "give 1 or more");
  if (options.restart < 1 || options.restart > 1000)
    throw Error(ErrorKind::Usage, "the number of directions kept is out of range", "give one in 1 to 1000");
}

double sourceNorm(const SpinorField& source, const Control& control) {
  const double norm = std::sqrt(norm2(source, control));
  if (!std::isfinite(norm)) throw Error(ErrorKind::BadData, "the source holds NaN or infinite values");
  return norm;
}

void finish(const ApplyDirac& dirac, const SpinorField& source, const SolverOptions& options, double norm,
            const Control& control, SolverResult& result) {
  const double twist = result.solver == Solver::Cr ? options.twist : 0;
  result.trueResidual = trueResidual(dirac, source, result.solution, twist, norm, control);
  // Rounding may leave the true residual somewhat above the recursion's.
  if (result.converged && !(result.trueResidual <= 2 * options.tolerance)) {
    result.converged = false;
    result.failure = "the true residual stays above the tolerance because of rounding";
  }
}

SolverResult solve(const ApplyDirac& dirac, const SpinorField& source, const SolverOptions& options,
                   const Control& control, const OnIteration& onIteration) {
  requireValid(options);
  const Stopwatch watch;
  SolverResult result;
  result.solver = options.solver == Solver::Auto ? Solver::BiCgStab : options.solver;
  result.solution.assign(source.size(), Complex(0));
  const double norm = sourceNorm(source, control);
  result.residuals.push_back(norm > 0 ? 1 : 0);
  if (norm == 0) {
    result.converged = true;
    return result;
  }
  KrylovRun krylov{dirac, source, norm, options, control, onIteration, result};
  run(result.solver, krylov);
  // What the recursion lost to rounding, or BiCGstab to a breakdown, CGNR finds from the iterate that is there.
  if (options.solver == Solver::Auto && result.iterations < options.maxIterations &&
      !(trueResidual(dirac, source, result.solution, 0, norm, control) <= options.tolerance)) {
    result.solver = Solver::Cgnr;
    result.converged = false;
    result.failure.clear();
    run(Solver::Cgnr, krylov);
  }
  finish(dirac, source, options, norm, control, result);
  result.seconds = watch.seconds();
  return result;
}

}  // namespace sscope::lattice
