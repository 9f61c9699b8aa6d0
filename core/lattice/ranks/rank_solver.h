#pragma once
// Solvers over ranks, and the hops between even and odd sites that they apply.

#include <memory>
#include <string>
#include <vector>

#include "core/lattice/even_odd.h"
#include "core/lattice/ranks/halo.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/ranks/rank_cr.h"
#include "core/lattice/ranks/rank_dirac.h"
#include "core/lattice/ranks/rank_space.h"
#include "core/lattice/solver.h"
#include "core/lattice/wilson.h"
#include "core/lattice/workload/dirac_workload.h"
#include "core/measure/verify.h"
#include "core/parts/communicator.h"

namespace sscope::lattice {

// The hops between even and odd sites over ranks (core/lattice/even_odd.h): each has its part's half fields and
// receives the spinors of one parity from its neighbors. The same bits as one engine of the same kind gives for the
// whole lattice.
class RankHops {
 public:
  // Where every extent of the whole lattice is even. `parameters`: of the operator that `rows` was prepared for, on the
  // part's extended lattice; `rows` outlives this. Throws Error(Memory), Canceled.
  RankHops(const LatticePart& part, const WilsonParameters& parameters, RowPlan& rows, const Control& control);

  // Every rank, with the half fields of its part. Throws Canceled, Error(Io).
  RunReport hop(reach::Communicator& communicator, const Hops& hops, const SpinorField& in, SpinorField& out,
                const Control& control);

 private:
  void fill(const SpinorField& in, const Control& control);
  [[nodiscard]] std::vector<RowRange> ranges(const std::vector<PartRows>& rows, const Hops& hops,
                                             SpinorField& out) const;

  LatticePart part_;
  RowPlan& rows_;
  SortedRows sorted_;
  SpinorHalo halo_, adjointHalo_;
  SpinorField in_;  // of one parity, on the extended lattice
};

// D x = b over ranks: each iterates on its part. Source and solution are the first rank's.
// - On the processor the conjugate residual is the workload of that name on the part (rank_cr.h); solution and
//   residuals have the bits of one process (job/lattice_solver.h).
// - All other solvers, and the conjugate residual on devices, are those of lattice::solve(), with the vectors of all
//   ranks in their memory and the operator, or its hops, on their engines. They have the bits of lattice::solve() in
//   one process on an engine of the same kind. In one process the conjugate residual of a device stays on the device,
//   adds in another order, and has different last digits.
class RankSolver {
 public:
  // Every rank. `links`: of the part's own sites. An empty variant means the engine's first. Engine and variants
  // outlive this, and so does the communicator. Throws Error(Usage) for options out of range, and as RankCr.
  RankSolver(reach::Communicator& communicator, std::vector<LatticePart> parts, const GaugeField& links,
             const WilsonParameters& parameters, const SolverOptions& solver, Engine& engine,
             const VariantTable& variants, const std::string& variant, const PrepareOptions& options,
             const Control& control);

  // Every rank: compares one application of the operator with the formula, each rank on its part; returns the worst.
  [[nodiscard]] Verification verified(reach::Communicator& communicator, const Control& control);
  // Called by every rank. `source` is read on the first rank only, which also gets the solution and the calls of
  // onIteration. Throws Canceled, Error(BadData) for a source that is not finite, Error(Io, Device, Memory).
  [[nodiscard]] SolverResult solve(reach::Communicator& communicator, const SpinorField& source,
                                   const OnIteration& onIteration, const Control& control);

  // The report of the last solve(), on this rank.
  [[nodiscard]] const RunReport& report() const { return report_; }
  [[nodiscard]] int applications() const { return applications_ + hopCount_ / 2; }
  [[nodiscard]] double kernelSeconds() const { return kernelSeconds_; }
  [[nodiscard]] const Variant& row() const { return row_; }

 private:
  [[nodiscard]] const LatticePart& part() const { return dirac_.part(); }
  [[nodiscard]] ApplyDirac applying(reach::Communicator& communicator, RankDirac& dirac);
  [[nodiscard]] WilsonSystem system(reach::Communicator& communicator);
  [[nodiscard]] SolverResult byCr(reach::Communicator& communicator, const SpinorField& own,
                                  const OnIteration& onIteration, const Control& control);
  [[nodiscard]] SolverResult byVectors(reach::Communicator& communicator, const SpinorField& own,
                                       const OnIteration& onIteration, const Control& control);
  void book(const RunReport& report);

  std::vector<LatticePart> parts_;
  WilsonParameters parameters_;
  SolverOptions solver_;
  const Variant& row_;                       // of the operator
  std::shared_ptr<const GaugeField> links_;  // with halo
  RankDirac dirac_;
  std::unique_ptr<RankDirac> exact_;  // for true residuals, if dirac_ is of lower precision
  std::unique_ptr<RankCr> cr_;        // of the same variant, where it is the solver
  std::unique_ptr<RankHops> hops_;    // where even-odd is possible
  std::string withoutHops_;
  RankSpace space_;
  RunReport report_;
  int applications_ = 0, hopCount_ = 0;
  double kernelSeconds_ = 0;
};

}  // namespace sscope::lattice
