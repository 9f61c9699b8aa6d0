#include "core/lattice/solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/stopwatch.h"
#include "core/lattice/krylov.h"

namespace sscope::lattice {

namespace {

constexpr std::array<std::pair<Solver, std::string_view>, 5> kNames{{{Solver::Auto, "auto"},
                                                                     {Solver::Cr, "cr"},
                                                                     {Solver::Gcr, "gcr"},
                                                                     {Solver::BiCgStab, "bicgstab"},
                                                                     {Solver::Cgnr, "cgnr"}}};
constexpr std::array<std::pair<Preconditioner, std::string_view>, 3> kPreconditioners{
    {{Preconditioner::Auto, "auto"}, {Preconditioner::None, "none"}, {Preconditioner::EvenOdd, "even-odd"}}};

constexpr double kLargestTwist = 10;

// Rounding may leave the true residual that much above the recursion's.
constexpr double kRounding = 2;

template <class Names>
auto named(const Names& names, std::string_view name, const char* what) {
  std::string known;
  for (const auto& [value, text] : names) {
    if (text == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(text);
  }
  throw Error(ErrorKind::Usage, std::string("there is no ") + what + " " + std::string(name), "use one of " + known);
}

template <class Names, class Value>
std::string_view nameOf(const Names& names, Value value) {
  return std::find_if(names.begin(), names.end(), [&](const auto& one) { return one.first == value; })->second;
}

void run(Solver solver, KrylovRun& run) {
  switch (solver) {
    case Solver::Cr: return conjugateResidual(run);
    case Solver::Gcr: return generalizedConjugateResidual(run);
    case Solver::Auto:
    case Solver::BiCgStab: return biCgStab(run);
    case Solver::Cgnr: return conjugateGradientNormal(run);
  }
}

double trueResidual(const ApplyDirac& dirac, const VectorSpace& space, const SpinorField& source,
                    const SpinorField& solution, double twist, double norm, const Control& control) {
  SpinorField residual(source.size());
  dirac(false, solution, residual, control);
  scaleAdd(source, -1, residual, control);
  if (twist != 0) {
    applyGamma5(residual, control);
    addScaled({0, -twist}, solution, residual, control);
  }
  return std::sqrt(space.norm2(residual, control)) / norm;
}

// Why a wish for even-odd is not fulfilled.
std::string withoutEvenOdd(const WilsonSystem& system, const SolverOptions& options) {
  if (options.preconditioner == Preconditioner::None || options.solver == Solver::Cr) return {};
  return system.hops ? "an extent of " + system.lattice.text() + " is odd" : system.withoutHops;
}

// One solve.
struct System {
  const WilsonSystem& wilson;
  const VectorSpace& space;
  const SpinorField& source;
  const SolverOptions& options;
  double norm;
  const Control& control;
  const OnIteration& onIteration;
  SolverResult& result;

  void solveWhole() {
    result.solution.assign(source.size(), Complex(0));
    iterate(wilson.dirac, source, [&] { measure(result.solution); });
  }

  // The iterations see the even sites alone; their residual is that of the whole, and measured with its source.
  void solveHalf() {
    EvenOdd evenOdd(space.own(), wilson.hops, space.parityOfFirst());
    const SpinorField half = evenOdd.source(source, control);
    result.solution.assign(half.size(), Complex(0));
    SpinorField whole;
    const ApplyDirac apply = [&](bool adjoint, const SpinorField& in, SpinorField& out, const Control& own) {
      evenOdd.apply(adjoint, in, out, own);
    };
    iterate(apply, half, [&] {
      whole = evenOdd.solution(source, result.solution, control);
      measure(whole);
    });
    result.solution = std::move(whole);
    // The half system begins with x_e = 0, to which another residual belongs than to x = 0, and may end above that.
    if (result.trueResidual <= 1) return;
    result.solution.assign(source.size(), Complex(0));
    result.trueResidual = 1;
  }

 private:
  void measure(const SpinorField& solution) {
    result.trueResidual = trueResidual(wilson.dirac, space, source, solution,
                                       result.solver == Solver::Cr ? options.twist : 0, norm, control);
  }
  [[nodiscard]] bool behind() const {
    return !(result.trueResidual <= options.tolerance) && result.iterations < options.maxIterations;
  }

  template <class Measure>
  void iterate(const ApplyDirac& apply, const SpinorField& right, const Measure& measureAll) {
    KrylovRun krylov{apply, space, right, norm, options, control, onIteration, result};
    // What the solver lost to rounding it finds when it restarts from the iterate that is there.
    const auto runThis = [&] {
      run(result.solver, krylov);
      measureAll();
      for (double last = std::numeric_limits<double>::infinity();
           result.solver != Solver::Cr && result.converged && behind() && result.trueResidual <= last / 2;) {
        last = result.trueResidual;
        result.converged = false;
        run(result.solver, krylov);
        measureAll();
        if (result.converged || result.trueResidual > kRounding * options.tolerance) continue;
        result.converged = true;  // as it was before
        result.failure.clear();
      }
    };
    // The odd sites alone may solve it.
    if (space.norm2(right, control) == 0) {
      result.converged = true;
      return measureAll();
    }
    runThis();
    // Where BiCGstab breaks down, or cannot come closer, CGNR goes on from its iterate.
    if (options.solver != Solver::Auto || !behind()) return;
    result.solver = Solver::Cgnr;
    result.converged = false;
    result.failure.clear();
    runThis();
  }
};

}  // namespace

Solver solverNamed(std::string_view name) { return named(kNames, name, "solver"); }
std::string_view toString(Solver solver) { return nameOf(kNames, solver); }

Preconditioner preconditionerNamed(std::string_view name) { return named(kPreconditioners, name, "preconditioner"); }
std::string_view toString(Preconditioner preconditioner) { return nameOf(kPreconditioners, preconditioner); }

bool usesEvenOdd(const WilsonSystem& system, const SolverOptions& options) {
  return options.preconditioner != Preconditioner::None && options.solver != Solver::Cr && system.hops &&
         system.lattice.bipartite();
}

void requireValid(const SolverOptions& options) {
  if (!(options.tolerance > 0 && options.tolerance < 1))
    throw Error(ErrorKind::Usage, "the tolerance is out of range", "give a value above 0 and below 1");
  if (!(std::abs(options.twist) <= kLargestTwist))
    throw Error(ErrorKind::Usage, "the twist is out of range", "give a value from -10 to 10");
  if (options.maxIterations < 1)
    throw Error(ErrorKind::Usage, "the number of iterations is out of range", "give 1 or more");
  if (options.restart < 1 || options.restart > 1000)
    throw Error(ErrorKind::Usage, "the number of directions kept is out of range", "give a number from 1 to 1000");
  if (options.solver == Solver::Cr && options.preconditioner == Preconditioner::EvenOdd)
    throw Error(ErrorKind::Usage, "the solver cr has no even-odd preconditioning", "choose another solver or none");
}

double sourceNorm(const SpinorField& source, const VectorSpace& space, const Control& control) {
  const double norm = std::sqrt(space.norm2(source, control));
  if (!std::isfinite(norm)) throw Error(ErrorKind::BadData, "the source holds NaN or infinite values");
  return norm;
}

void settle(const SolverOptions& options, SolverResult& result) {
  if (!result.converged || result.trueResidual <= kRounding * options.tolerance) return;
  result.converged = false;
  result.failure = "the true residual stays above the tolerance because of rounding";
}

void finish(const ApplyDirac& dirac, const VectorSpace& space, const SpinorField& source, const SolverOptions& options,
            double norm, const Control& control, SolverResult& result) {
  const double twist = result.solver == Solver::Cr ? options.twist : 0;
  result.trueResidual = trueResidual(dirac, space, source, result.solution, twist, norm, control);
  settle(options, result);
}

SolverResult solve(const WilsonSystem& system, const SpinorField& source, const SolverOptions& options,
                   const Control& control, const OnIteration& onIteration) {
  requireValid(options);
  const Stopwatch watch;
  SolverResult result;
  result.solver = options.solver == Solver::Auto ? Solver::BiCgStab : options.solver;
  if (usesEvenOdd(system, options)) {
    result.preconditioner = Preconditioner::EvenOdd;
  } else {
    result.preconditionerNote = withoutEvenOdd(system, options);
  }
  const VectorSpace here(system.lattice);
  const VectorSpace& space = system.space == nullptr ? here : *system.space;
  const double norm = sourceNorm(source, space, control);
  result.residuals.push_back(norm > 0 ? 1 : 0);
  if (norm == 0) {
    result.solution.assign(source.size(), Complex(0));
    result.converged = true;
    return result;
  }
  System whole{system, space, source, options, norm, control, onIteration, result};
  if (result.preconditioner == Preconditioner::EvenOdd) {
    whole.solveHalf();
  } else {
    whole.solveWhole();
  }
  settle(options, result);
  result.seconds = watch.seconds();
  return result;
}

SolverResult solve(const ApplyDirac& dirac, const SpinorField& source, const SolverOptions& options,
                   const Control& control, const OnIteration& onIteration) {
  return solve(WilsonSystem{dirac, {}, {}, "the operator is known on all sites only"}, source, options, control,
               onIteration);
}

}  // namespace sscope::lattice
