#pragma once
// D x = b over ranks, by the conjugate residual: each iterates on its part. Source and solution are the first rank's.
// Solution and residuals have the bits that one process with an engine of the same kind gives (job/lattice_solver.h).

#include <memory>
#include <string>
#include <vector>

#include "core/lattice/ranks/rank_cr.h"
#include "core/lattice/ranks/rank_dirac.h"
#include "core/lattice/solver.h"
#include "core/measure/verify.h"

namespace sscope::lattice {

class RankSolver {
 public:
  // Every rank. `links`: of the part's own sites. An empty variant means the engine's first. Engine and variants
  // outlive this. Throws Error(Usage) for options out of range and for solvers other than cr, and as RankCr.
  RankSolver(reach::Communicator& communicator, std::vector<LatticePart> parts, const GaugeField& links,
             const WilsonParameters& parameters, const SolverOptions& solver, Engine& engine,
             const VariantTable& variants, const std::string& variant, const PrepareOptions& options,
             const Control& control);

  // Every rank: one application of the operator against the formula, on each its part; the worst.
  [[nodiscard]] Verification verified(reach::Communicator& communicator, const Control& control);
  // Every rank; `source` matters on the first one alone, which alone is given the solution and hears of iterations.
  // Throws Canceled, Error(BadData) for a source that is not finite, Error(Io, Device, Memory).
  [[nodiscard]] SolverResult solve(reach::Communicator& communicator, const SpinorField& source,
                                   const OnIteration& onIteration, const Control& control);

  // Of the last solve(), on this rank.
  [[nodiscard]] const RunReport& report() const { return report_; }
  [[nodiscard]] int applications() const { return applications_; }
  [[nodiscard]] double kernelSeconds() const { return kernelSeconds_; }
  [[nodiscard]] const Variant& row() const { return row_; }

 private:
  [[nodiscard]] const LatticePart& part() const { return cr_.part(); }
  [[nodiscard]] double trueResidual(reach::Communicator& communicator, const SpinorField& source,
                                    const SpinorField& solution, double norm, const Control& control);

  std::vector<LatticePart> parts_;
  WilsonParameters parameters_;
  SolverOptions solver_;
  const Variant& row_;                       // of the operator
  std::shared_ptr<const GaugeField> links_;  // with halo
  RankCr cr_;
  RankDirac dirac_;                   // of the same variant
  std::unique_ptr<RankDirac> exact_;  // for true residuals, if dirac_ is of lower precision
  RunReport report_;
  int applications_ = 0;
  double kernelSeconds_ = 0;
};

}  // namespace sscope::lattice
