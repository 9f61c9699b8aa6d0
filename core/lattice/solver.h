#pragma once
// Iterative solvers of A x = b for Wilson's operator.
// Sources: conjugate residual as in A. Cassagne et al., Portage d'un code de lattice QCD sur GPU (2013), algorithm 1,
// with the conjugate that is lost in its print; H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631
// (BiCGstab); S. C. Eisenstat, H. C. Elman, M. H. Schultz, SIAM J. Numer. Anal. 20 (1983) 345 (GCR); M. R. Hestenes, E.
// Stiefel (1952) on the normal equations (CGNR).

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/control.h"
#include "core/lattice/fields.h"

namespace sscope::lattice {

enum class Solver { Auto, Cr, Gcr, BiCgStab, Cgnr };
// auto, cr, gcr, bicgstab, cgnr. Throws Error(Usage) listing them.
[[nodiscard]] Solver solverNamed(std::string_view name);
[[nodiscard]] std::string_view toString(Solver solver);

// out <- D in, or D^dagger in. `out` has the size of `in`.
using ApplyDirac = std::function<void(bool adjoint, const SpinorField& in, SpinorField& out, const Control& control)>;

struct SolverOptions {
  Solver solver = Solver::Auto;  // Auto: BiCGstab, and CGNR from there on where that breaks down
  double tolerance = 1e-10;      // of |b - D x| / |b|
  int maxIterations = 10000;
  int restart = 16;        // Gcr: directions kept
  double twist = 0;        // Cr: solves (gamma_5 D + i twist) x = gamma_5 b
  std::uint64_t seed = 1;  // of the shadow residual of BiCGstab
};

struct SolverResult {
  SpinorField solution;          // the best iterate, also where it did not converge
  Solver solver = Solver::Auto;  // what ran
  bool converged = false;
  std::string failure;  // empty, or why it did not converge, as half a sentence
  int iterations = 0;
  std::vector<double> residuals;  // |r| / |b| before the first iteration and after each, as the recursion has it
  // |b - D x| / |b|, with a twist |gamma_5 b - (gamma_5 D + i twist) x| / |b|: computed anew from the solution.
  double trueResidual = 0;
  double seconds = 0;
};

// Called after each iteration with the residual |r| / |b|; may be empty.
using OnIteration = std::function<void(int iteration, double residual)>;

// Never throws for a system that does not converge: see SolverResult::failure. A right side of zeros has the solution
// zero. Throws Error(Usage) for options out of range, Canceled.
[[nodiscard]] SolverResult solve(const ApplyDirac& dirac, const SpinorField& source, const SolverOptions& options,
                                 const Control& control, const OnIteration& onIteration = {});

// What solve() begins and ends with, for solvers that run elsewhere.
// Throws Error(Usage) for options out of range.
void requireValid(const SolverOptions& options);
// Throws Error(BadData) when the source holds NaN or infinite values.
[[nodiscard]] double sourceNorm(const SpinorField& source, const Control& control);
// Sets result.trueResidual; a result that is converged only as the recursion has it no longer is, and says why.
void finish(const ApplyDirac& dirac, const SpinorField& source, const SolverOptions& options, double sourceNorm,
            const Control& control, SolverResult& result);

}  // namespace sscope::lattice
