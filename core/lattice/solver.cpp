#include "core/lattice/solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/stopwatch.h"
#include "core/lattice/vector_space.h"

namespace sscope::lattice {

namespace {

// The iterations behind solve().

// The state of an iteration. It starts from result.solution, leaves the best iterate there, sets converged and failure,
// adds to iterations and appends to residuals.
struct KrylovRun {
  const ApplyDirac& dirac;
  const VectorSpace& space;
  const SpinorField& source;
  double sourceNorm;
  const SolverOptions& options;
  const Control& control;
  const OnIteration& onIteration;
  SolverResult& result;

  // Records an iteration with this squared norm of the residual. Returns true when the run is over; the result says
  // why.
  [[nodiscard]] bool over(double residualNorm2);
  // Ends the run because of a zero divisor or a value that is not finite.
  void breakDown(const char* what);
};

// Below this, relative to its operands, a denominator is rounding error.
constexpr double kTiny = 1e-28;

// source - D x.
SpinorField residualOf(KrylovRun& run) {
  SpinorField r(run.source.size());
  if (run.result.iterations == 0) return run.source;
  run.dirac(false, run.result.solution, r, run.control);
  scaleAdd(run.source, -1, r, run.control);
  return r;
}

bool KrylovRun::over(double residualNorm2) {
  const double residual = std::sqrt(residualNorm2) / sourceNorm;
  ++result.iterations;
  result.residuals.push_back(residual);
  if (onIteration) onIteration(result.iterations, residual);
  control.check();
  if (!std::isfinite(residual)) {
    result.failure = "the residual is no longer finite";
    return true;
  }
  if (residual <= options.tolerance) {
    result.converged = true;
    return true;
  }
  if (result.iterations >= options.maxIterations) {
    result.failure = "it did not converge in " + std::to_string(options.maxIterations) + " iterations";
    return true;
  }
  return false;
}

void KrylovRun::breakDown(const char* what) {
  result.failure = "it broke down after " + std::to_string(result.iterations) + " iterations (" + what + ")";
}

void conjugateResidual(KrylovRun& run) {
  const Control& control = run.control;
  const auto apply = [&](const SpinorField& in, SpinorField& out) {  // gamma_5 D + i twist
    run.dirac(false, in, out, control);
    applyGamma5(out, control);
    if (run.options.twist != 0) addScaled({0, run.options.twist}, in, out, control);
  };
  SpinorField r = run.source;
  applyGamma5(r, control);
  SpinorField p = r, ap(r.size()), ar(r.size());
  apply(p, ap);
  Complex rar = run.space.dot(r, ap, control);
  for (;;) {
    const double apap = run.space.norm2(ap, control);
    if (apap == 0) return run.breakDown("A p is zero");
    const Complex alpha = std::conj(rar) / apap;
    addScaled(alpha, p, run.result.solution, control);
    addScaled(-alpha, ap, r, control);
    const double rr = run.space.norm2(r, control);
    if (run.over(rr)) return;
    apply(r, ar);
    const Complex old = rar;
    rar = run.space.dot(r, ar, control);
    if (std::abs(old) <= kTiny * rr) return run.breakDown("(r, A r) is zero");
    const Complex beta = std::conj(rar) / old;
    scaleAdd(r, beta, p, control);
    scaleAdd(ar, beta, ap, control);
  }
}

void generalizedConjugateResidual(KrylovRun& run) {
  const Control& control = run.control;
  const auto keep = static_cast<std::size_t>(run.options.restart);
  std::vector<SpinorField> p, ap;
  std::vector<double> apap;
  SpinorField r = residualOf(run);
  for (;;) {
    if (p.size() == keep) {
      p.clear();
      ap.clear();
      apap.clear();
    }
    SpinorField direction = r, image(r.size());
    run.dirac(false, direction, image, control);
    for (std::size_t k = 0; k < p.size(); ++k) {
      const Complex overlap = run.space.dot(ap[k], image, control) / apap[k];
      addScaled(-overlap, p[k], direction, control);
      addScaled(-overlap, ap[k], image, control);
    }
    const double norm = run.space.norm2(image, control);
    if (norm == 0) return run.breakDown("A p is zero");
    const Complex alpha = run.space.dot(image, r, control) / norm;
    addScaled(alpha, direction, run.result.solution, control);
    addScaled(-alpha, image, r, control);
    p.push_back(std::move(direction));
    ap.push_back(std::move(image));
    apap.push_back(norm);
    if (run.over(run.space.norm2(r, control))) return;
  }
}

void biCgStab(KrylovRun& run) {
  const Control& control = run.control;
  SpinorField r = residualOf(run);
  // A point source must not be its own shadow residual: its products with most directions are zero.
  SpinorField shadow(r.size());
  run.space.hashFill(shadow, run.options.seed);
  SpinorField p = r, ap(r.size()), as(r.size());
  Complex rho = run.space.dot(shadow, r, control);
  const double shadowNorm = run.space.norm2(shadow, control);
  SpinorField best = run.result.solution;
  double bestResidual = run.space.norm2(r, control);
  SpinorField& x = run.result.solution;
  const auto keepBest = [&] {
    if (!run.result.converged) x = best;
  };
  for (;;) {
    run.dirac(false, p, ap, control);
    const Complex shadowAp = run.space.dot(shadow, ap, control);
    if (std::norm(shadowAp) <= kTiny * shadowNorm * run.space.norm2(ap, control)) {
      keepBest();
      return run.breakDown("the shadow residual is orthogonal to A p");
    }
    const Complex alpha = rho / shadowAp;
    addScaled(-alpha, ap, r, control);  // s
    run.dirac(false, r, as, control);
    const double asas = run.space.norm2(as, control);
    const Complex omega = asas > 0 ? run.space.dot(as, r, control) / asas : Complex(0);
    addScaled(alpha, p, x, control);
    addScaled(omega, r, x, control);
    addScaled(-omega, as, r, control);
    const double rr = run.space.norm2(r, control);
    const bool over = run.over(rr);
    if (rr < bestResidual) {
      bestResidual = rr;
      if (!over) best = x;
    }
    if (over) {
      if (!run.result.converged && rr > bestResidual) keepBest();
      return;
    }
    const Complex old = rho;
    rho = run.space.dot(shadow, r, control);
    if (omega == Complex(0) || std::norm(rho) <= kTiny * shadowNorm * rr) {
      keepBest();
      return run.breakDown(omega == Complex(0) ? "omega is zero" : "the shadow residual is orthogonal to r");
    }
    addScaled(-omega, ap, p, control);
    scaleAdd(r, rho / old * (alpha / omega), p, control);
  }
}

void conjugateGradientNormal(KrylovRun& run) {
  const Control& control = run.control;
  SpinorField r = residualOf(run), z(r.size()), ap(r.size());
  run.dirac(true, r, z, control);
  SpinorField p = z;
  double zz = run.space.norm2(z, control);
  for (;;) {
    run.dirac(false, p, ap, control);
    const double apap = run.space.norm2(ap, control);
    if (apap == 0) return run.breakDown("A p is zero");
    const double alpha = zz / apap;
    addScaled(alpha, p, run.result.solution, control);
    addScaled(-alpha, ap, r, control);
    if (run.over(run.space.norm2(r, control))) return;
    run.dirac(true, r, z, control);
    const double old = zz;
    zz = run.space.norm2(z, control);
    scaleAdd(z, zz / old, p, control);
  }
}

constexpr std::array<std::pair<Solver, std::string_view>, 5> kNames{{{Solver::Auto, "auto"},
                                                                     {Solver::Cr, "cr"},
                                                                     {Solver::Gcr, "gcr"},
                                                                     {Solver::BiCgStab, "bicgstab"},
                                                                     {Solver::Cgnr, "cgnr"}}};
constexpr std::array<std::pair<Preconditioner, std::string_view>, 3> kPreconditioners{
    {{Preconditioner::Auto, "auto"}, {Preconditioner::None, "none"}, {Preconditioner::EvenOdd, "even-odd"}}};

constexpr double kLargestTwist = 10;

// Rounding may leave the true residual this much above the recursion's.
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

// Why even-odd is not possible although it is requested.
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

  // The iterations see the even sites only; their residual is that of the whole, relative to its source.
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
    // The half system begins with x_e = 0, whose residual differs from that of x = 0 and may stay above it.
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
    // A restart from the current iterate recovers what the solver lost to rounding.
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
        result.converged = true;  // as before the restart
        result.failure.clear();
      }
    };
    // The odd sites may suffice for the solution.
    if (space.norm2(right, control) == 0) {
      result.converged = true;
      return measureAll();
    }
    runThis();
    // If BiCGstab breaks down or stalls, CGNR continues from its iterate.
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
