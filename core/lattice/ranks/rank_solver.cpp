#include "core/lattice/ranks/rank_solver.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/lattice/parallel.h"
#include "core/lattice/ranks/halo.h"
#include "core/lattice/ranks/part_input.h"
#include "core/lattice/ranks/rank_dirac.h"
#include "core/lattice/ranks/spread.h"
#include "core/lattice/workload/cr_workload.h"
#include "core/parts/agreed.h"
#include "core/reach/rank_share.h"

namespace sscope::lattice {

namespace {

WilsonParameters adjointOf(WilsonParameters parameters) {
  parameters.adjoint = !parameters.adjoint;
  return parameters;
}

// The number of half field elements before this site, the first one of a row.
std::int64_t halfElements(std::int64_t site) { return site / 2 * kSpinorElements; }

}  // namespace

RankHops::RankHops(const LatticePart& part, const WilsonParameters& parameters, RowPlan& rows, const Control& control)
    : part_(part),
      rows_(rows),
      sorted_(sortedRows(part)),
      halo_(part, parameters, HaloForm::Half, HaloSites::OneParity),
      adjointHalo_(part, adjointOf(parameters), HaloForm::Half, HaloSites::OneParity) {
  in_ = zeroSpinor(part.extended, control);
  in_.resize(in_.size() / 2);
}

RunReport RankHops::hop(reach::Communicator& communicator, const Hops& hops, const SpinorField& in, SpinorField& out,
                        const Control& control) {
  const Stopwatch watch;
  SpinorHalo& halo = hops.adjoint ? adjointHalo_ : halo_;
  std::unique_ptr<reach::Exchange> exchange =
      halo.begin(communicator, in.data(), halfElements(part_.own.spatialVolume()), control);
  fill(in, control);
  // The parity in coordinates of the extended lattice.
  Hops here = hops;
  here.parity ^= (part_.parityOfFirst() + part_.halo(2) + part_.halo(3)) % 2;
  const auto* numbers = reinterpret_cast<const double*>(in_.data());
  const Stopwatch kernel;
  rows_.hopRows(here, numbers, ranges(sorted_.inner, hops, out), control);
  halo.end(std::move(exchange), in_.data(), control);
  rows_.hopRows(here, numbers, ranges(sorted_.outer, hops, out), control);
  RunReport report = rows_.rowReport();
  const double sites = static_cast<double>(part_.own.volume()) / 2;
  report.operations = kDiracOperations * sites;
  report.bytes = kDiracBytes * sites;
  report.launch["halo bytes"] = static_cast<double>(halo.bytes());
  report.launch["waited for halo, s"] = halo.waited();
  report.phases.kernel = kernel.seconds();
  report.phases.total = watch.seconds();
  return report;
}

void RankHops::fill(const SpinorField& in, const Control& control) {
  for (const SiteRun& run : part_.slices()) {
    const Complex* from = in.data() + halfElements(run.own);
    Complex* to = in_.data() + halfElements(run.extended);
    forPieces(run.count / 2, control, [&](std::int64_t begin, std::int64_t end) {
      std::copy(from + begin * kSpinorElements, from + end * kSpinorElements, to + begin * kSpinorElements);
    });
  }
}

std::vector<RowRange> RankHops::ranges(const std::vector<PartRows>& rows, const Hops& hops, SpinorField& out) const {
  std::vector<RowRange> result;
  for (const PartRows& one : rows) {
    const std::int64_t first = halfElements(one.slice * part_.own.spatialVolume() + one.site);
    result.push_back({one.begin, one.end, reinterpret_cast<double*>(out.data() + first),
                      hops.center == nullptr ? nullptr : reinterpret_cast<const double*>(hops.center->data() + first)});
  }
  return result;
}

namespace {

const LatticePart& partOf(const reach::Communicator& communicator, const std::vector<LatticePart>& parts) {
  return parts.at(static_cast<std::size_t>(communicator.rank()));
}

const SolverOptions& checked(const SolverOptions& solver) {
  requireValid(solver);
  return solver;
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
      dirac_(communicator, partOf(communicator, parts_), links_, parameters, engine, variants, variant, options,
             control),
      space_(communicator, partOf(communicator, parts_), control) {
  if (row_.lower)
    exact_ =
        std::make_unique<RankDirac>(communicator, part(), links_, parameters, engine, variants, "", options, control);
  // The same on all ranks, because it decides what they exchange.
  const bool processors = reach::everywhere(engine.info().kind == EngineKind::Cpu, communicator, control);
  if (solver.solver == Solver::Cr && processors)
    cr_ = std::make_unique<RankCr>(part(), links_, CrParameters{parameters, solver.maxIterations, solver.twist}, engine,
                                   variants, variant, options, control);
  if (!reach::everywhere(dirac_.rows() != nullptr, communicator, control)) {
    withoutHops_ = engine.info().id + ' ' + row_.name + " applies the operator to all sites at a time";
  } else if (part().whole.bipartite()) {
    hops_ = std::make_unique<RankHops>(part(), parameters, *dirac_.rows(), control);
  }
}

void RankSolver::book(const RunReport& report) {
  report_ = report;
  kernelSeconds_ += report.phases.kernel;
}

ApplyDirac RankSolver::applying(reach::Communicator& communicator, RankDirac& dirac) {
  return [this, &communicator, &dirac](bool adjoint, const SpinorField& in, SpinorField& out, const Control& control) {
    out.resize(in.size());
    book(dirac.apply(communicator, adjoint, in, out, {control.stop, {}}));
    ++applications_;
  };
}

WilsonSystem RankSolver::system(reach::Communicator& communicator) {
  WilsonSystem system{applying(communicator, dirac_), part().whole, {}, withoutHops_, &space_};
  if (withoutHops_.empty())
    system.hops = [this, &communicator](const Hops& hops, const SpinorField& in, SpinorField& out,
                                        const Control& control) {
      book(hops_->hop(communicator, hops, in, out, {control.stop, {}}));
      ++hopCount_;
    };
  return system;
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
  const SpinorField own = dealtOut(source, parts_, communicator, control);
  const OnIteration observer = communicator.rank() == 0 ? onIteration : OnIteration();
  SolverResult result =
      cr_ ? byCr(communicator, own, observer, control) : byVectors(communicator, own, observer, {control.stop, {}});
  result.solution = collected(result.solution, parts_, communicator, control);
  result.seconds = watch.seconds();
  return result;
}

SolverResult RankSolver::byCr(reach::Communicator& communicator, const SpinorField& own, const OnIteration& onIteration,
                              const Control& control) {
  const double norm = sourceNorm(own, space_, control);
  SolverResult result;
  result.solver = Solver::Cr;
  result.solution = zeroSpinor(part().own, control);
  if (norm == 0) {
    result.residuals.push_back(0);
    result.converged = true;
    return result;
  }
  const CrRequest request{solver_.maxIterations, solver_.tolerance, onIteration, nullptr};
  const std::int64_t slice = kSpinorElements * part().own.spatialVolume();
  CrOutcome outcome =
      cr_->solve(communicator, {own.data(), result.solution.data(), slice}, request, {control.stop, {}});
  result.converged = outcome.end == CrEnd::Converged;
  result.failure = failureOf(outcome);
  result.iterations = outcome.iterations;
  result.residuals = std::move(outcome.residuals);
  applications_ += outcome.iterations + 1;
  finish(applying(communicator, exact_ ? *exact_ : dirac_), space_, own, solver_, norm, control, result);
  book(outcome.report);
  return result;
}

SolverResult RankSolver::byVectors(reach::Communicator& communicator, const SpinorField& own,
                                   const OnIteration& onIteration, const Control& control) {
  SolverResult result = lattice::solve(system(communicator), own, solver_, control, onIteration);
  if (!exact_) return result;
  if (const double norm = sourceNorm(own, space_, control); norm > 0)
    finish(applying(communicator, *exact_), space_, own, solver_, norm, control, result);
  return result;
}

}  // namespace sscope::lattice
