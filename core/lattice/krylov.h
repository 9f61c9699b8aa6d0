#pragma once
// The iterations behind solve().

#include "core/lattice/solver.h"

namespace sscope::lattice {

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

void conjugateResidual(KrylovRun& run);
void generalizedConjugateResidual(KrylovRun& run);
void biCgStab(KrylovRun& run);
void conjugateGradientNormal(KrylovRun& run);

}  // namespace sscope::lattice
