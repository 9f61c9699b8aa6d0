#pragma once
// The iterations behind solve().

#include "core/lattice/solver.h"

namespace sscope::lattice {

// What an iteration works on. It starts from result.solution, leaves the best iterate there, and sets converged,
// failure, iterations (added to) and residuals.
struct KrylovRun {
  const ApplyDirac& dirac;
  const SpinorField& source;
  double sourceNorm;
  const SolverOptions& options;
  const Control& control;
  const OnIteration& onIteration;
  SolverResult& result;

  // Books an iteration whose residual has this squared norm; true when the run is over, result saying why.
  [[nodiscard]] bool over(double residualNorm2);
  // Ends the run because a number that is divided by is zero, or something is no longer finite.
  void breakDown(const char* what);
};

void conjugateResidual(KrylovRun& run);
void generalizedConjugateResidual(KrylovRun& run);
void biCgStab(KrylovRun& run);
void conjugateGradientNormal(KrylovRun& run);

}  // namespace sscope::lattice
