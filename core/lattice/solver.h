#pragma once
// Iterative solvers of A x = b for Wilson's operator. Sources: conjugate residual as in A. Cassagne et al., Portage
// d'un code de lattice QCD sur GPU (2013), algorithm 1, with the conjugate that the printed version omits; H. A. van
// der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631 (BiCGstab); S. C. Eisenstat, H. C. Elman, M. H. Schultz, SIAM J.
// Numer. Anal. 20 (1983) 345 (GCR); M. R. Hestenes, E. Stiefel (1952) on the normal equations (CGNR).

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/control.h"
#include "core/lattice/even_odd.h"
#include "core/lattice/fields.h"
#include "core/lattice/vector_space.h"

namespace sscope::lattice {

enum class Solver { Auto, Cr, Gcr, BiCgStab, Cgnr };
// auto, cr, gcr, bicgstab, cgnr. Throws Error(Usage) listing them.
[[nodiscard]] Solver solverNamed(std::string_view name);
[[nodiscard]] std::string_view toString(Solver solver);

// Auto: even-odd where possible, but none for cr, which follows the paper.
enum class Preconditioner { Auto, None, EvenOdd };
// auto, none, even-odd. Throws Error(Usage) listing them.
[[nodiscard]] Preconditioner preconditionerNamed(std::string_view name);
[[nodiscard]] std::string_view toString(Preconditioner preconditioner);

// out <- D in, or D^dagger in. `out` has the size of `in`.
using ApplyDirac = std::function<void(bool adjoint, const SpinorField& in, SpinorField& out, const Control& control)>;

// Wilson's operator as the solvers use it.
struct WilsonSystem {
  ApplyDirac dirac;
  Lattice lattice;          // the whole
  ApplyHops hops;           // empty: even-odd preconditioning is not available
  std::string withoutHops;  // the reason, as half a sentence
  // Null: fields are those of the whole. Else this is one of several ranks that solve together: fields are those of its
  // part, and sums are the same on all ranks.
  const VectorSpace* space = nullptr;
};

struct SolverOptions {
  Solver solver = Solver::Auto;  // Auto: BiCGstab, continued by CGNR if it breaks down
  Preconditioner preconditioner = Preconditioner::Auto;
  double tolerance = 1e-10;  // of |b - D x| / |b|
  int maxIterations = 10000;
  int restart = 16;        // Gcr: directions kept
  double twist = 0;        // Cr: solves (gamma_5 D + i twist) x = gamma_5 b
  std::uint64_t seed = 1;  // of the shadow residual of BiCGstab
};

struct SolverResult {
  SpinorField solution;          // the best iterate by its true residual, 0 among them, even if it did not converge
  Solver solver = Solver::Auto;  // what ran
  Preconditioner preconditioner = Preconditioner::None;
  std::string preconditionerNote;  // empty, or why even-odd was not possible, as half a sentence
  bool converged = false;
  std::string failure;  // empty, or why it did not converge, as half a sentence
  int iterations = 0;
  // |r| / |b| of x = 0 and after each iteration, from the recursion. Even-odd: r belongs to the half system, which
  // equals b - D x up to rounding, and b is the whole source.
  std::vector<double> residuals;
  // |b - D x| / |b|, with a twist |gamma_5 b - (gamma_5 D + i twist) x| / |b|: recomputed from the solution.
  double trueResidual = 0;
  double seconds = 0;
};

// Whether solve() will use even-odd preconditioning.
[[nodiscard]] bool usesEvenOdd(const WilsonSystem& system, const SolverOptions& options);

// Called after each iteration with the residual |r| / |b|; may be empty.
using OnIteration = std::function<void(int iteration, double residual)>;

// Never throws for a system that does not converge: see SolverResult::failure. A zero source gives the solution zero.
// When the recursion's residual is smaller than the true one, all solvers except cr restart from the current iterate as
// long as that helps. Throws Error(Usage) for options out of range, Canceled. One of several ranks: every rank, with
// the source and the solution of its part; throws also Error(Io).
[[nodiscard]] SolverResult solve(const WilsonSystem& system, const SpinorField& source, const SolverOptions& options,
                                 const Control& control, const OnIteration& onIteration = {});
// For an operator without hops: never preconditioned.
[[nodiscard]] SolverResult solve(const ApplyDirac& dirac, const SpinorField& source, const SolverOptions& options,
                                 const Control& control, const OnIteration& onIteration = {});

// The first and last steps of solve(), for solvers that run elsewhere. Throws Error(Usage) for options out of range,
// and for cr with even-odd.
void requireValid(const SolverOptions& options);
// Throws Error(BadData) when the source holds NaN or infinite values.
[[nodiscard]] double sourceNorm(const SpinorField& source, const VectorSpace& space, const Control& control);
// A result that converged by the recursion, but not by its true residual, is marked as not converged, with the reason.
void settle(const SolverOptions& options, SolverResult& result);
// Sets result.trueResidual, and settles.
void finish(const ApplyDirac& dirac, const VectorSpace& space, const SpinorField& source, const SolverOptions& options,
            double sourceNorm, const Control& control, SolverResult& result);

}  // namespace sscope::lattice
