#include "core/lattice/ranks/joined_lattice.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/engine/joined_parts.h"
#include "core/engine/plan.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/ranks/rank_cr.h"
#include "core/lattice/ranks/rank_dirac.h"
#include "core/parts/thread_ranks.h"

namespace sscope {

using namespace lattice;

namespace {

// One rank on each of several engines of this machine, each on a thread of its own, that share a lattice.

// `Rank`: RankDirac or RankCr.
template <class Rank>
class JoinedRanks {
 public:
  // make(communicator, part, engine, options, control) gives the rank of a part, on its thread. Throws what it throws,
  // and as latticeParts().
  template <class Make>
  JoinedRanks(const Lattice& whole, std::span<Engine* const> engines, std::span<const double> weights,
              const PrepareOptions& options, const Control& control, const Make& make)
      : engines_(engines.begin(), engines.end()), threads_(static_cast<int>(engines.size())), ranks_(engines.size()) {
    const std::vector<LatticePart> parts = partsFor(whole, engines.size(), weights);
    const std::vector<PrepareOptions> shares = threadSharesOf(engines_, options);
    threads_.run(control, [&](reach::Communicator& communicator, const Control& own) {
      const auto rank = static_cast<std::size_t>(communicator.rank());
      ranks_[rank] = make(communicator, parts[rank], *engines_[rank], shares[rank], own);
    });
  }

  [[nodiscard]] std::size_t size() const { return ranks_.size(); }

  // One report from the reports of a run, in the order of the engines, with the share of each; planes are those of
  // constant z and t.
  [[nodiscard]] RunReport reportOf(std::span<const RunReport> reports, const sscope::Work& work) const {
    RunReport all = joinedReport(engines_, reports, work);
    const std::vector<std::string> names = namesOfParts(all.engine);
    for (std::size_t k = 0; k < ranks_.size(); ++k) {
      const LatticePart& part = ranks_[k]->part();
      const auto sites = static_cast<double>(part.own.volume());
      note({names[k], static_cast<double>(part.own.extent(2)) * part.own.extent(3),
            sites / static_cast<double>(part.whole.volume()), reports[k].phases.total},
           all.launch);
    }
    return all;
  }

  // work(communicator, rank, first, slice, control) on each rank's thread: the rank's part begins at element `first` of
  // the whole field, whose time slices are `slice` elements apart.
  template <class Work>
  void run(const Control& control, const Work& work) {
    threads_.run(control, [&](reach::Communicator& communicator, const Control& own) {
      Rank& rank = *ranks_[static_cast<std::size_t>(communicator.rank())];
      const LatticePart& part = rank.part();
      const std::int64_t slice = kSpinorElements * part.whole.spatialVolume();
      work(communicator, rank, part.begin[3] * slice + kSpinorElements * part.firstInSlice(), slice, own);
    });
  }

  [[nodiscard]] std::int64_t scratchBytes() const {
    std::int64_t sum = 0;
    for (const auto& rank : ranks_) sum += rank->scratchBytes();
    return sum;
  }

  // "cpu:avx512: 8x8x8x4, ...; opencl:0: ...".
  [[nodiscard]] std::string description() const {
    std::string text;
    for (std::size_t k = 0; k < ranks_.size(); ++k)
      text += (k > 0 ? "; " : "") + engines_[k]->info().id + ": " + ranks_[k]->part().own.text() + ", " +
              ranks_[k]->description();
    return text;
  }

 private:
  std::vector<Engine*> engines_;
  reach::ThreadRanks threads_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace

namespace {

class JoinedDiracPlan final : public Plan {
 public:
  JoinedDiracPlan(std::span<Engine* const> engines, const VariantTable& variants, const std::string& variant,
                  const DiracWorkload& workload, std::span<const double> weights, const PrepareOptions& options,
                  const Control& control)
      : workload_(workload),
        ranks_(workload.field().lattice(), engines, weights, options, control,
               [&](reach::Communicator& communicator, const LatticePart& part, Engine& engine,
                   const PrepareOptions& share, const Control& own) {
                 return std::make_unique<RankDirac>(communicator, part, linksOf(workload.field(), part, own),
                                                    workload.wilson(), engine, variants, variant, share, own);
               }) {}

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    requireArrays(workload_, inputs, outputs);
    control.check();
    const Stopwatch watch;
    const WholeSpinor source(inputs.arrays[0]);
    const SpinorTarget result(outputs[0]);
    std::vector<RunReport> reports(ranks_.size());
    ranks_.run(control, [&](reach::Communicator& communicator, RankDirac& rank, std::int64_t first, std::int64_t slice,
                            const Control& own) {
      reports[static_cast<std::size_t>(communicator.rank())] =
          rank.apply(communicator, false, {source.elements().data() + first, result.elements() + first, slice}, own);
    });
    result.finish();
    RunReport report = ranks_.reportOf(reports, workload_.work());
    report.phases.total = watch.seconds();
    return report;
  }

  [[nodiscard]] std::int64_t scratchBytes() const override { return ranks_.scratchBytes(); }
  [[nodiscard]] std::string description() const override { return ranks_.description(); }

 private:
  DiracWorkload workload_;
  JoinedRanks<RankDirac> ranks_;
};

}  // namespace

std::unique_ptr<Plan> prepareJoinedDirac(std::span<Engine* const> engines, const VariantTable& variants,
                                         const std::string& variant, const DiracWorkload& workload,
                                         std::span<const double> weights, const PrepareOptions& options,
                                         const Control& control) {
  return std::make_unique<JoinedDiracPlan>(engines, variants, variant, workload, weights, options, control);
}

namespace {

class JoinedCrPlan final : public CrPlan {
 public:
  JoinedCrPlan(std::span<Engine* const> engines, const VariantTable& variants, const std::string& variant,
               const CrWorkload& workload, std::span<const double> weights, const PrepareOptions& options,
               const Control& control)
      : workload_(workload),
        ranks_(workload.field().lattice(), engines, weights, options, control,
               [&](reach::Communicator& communicator, const LatticePart& part, Engine& engine,
                   const PrepareOptions& share, const Control& own) {
                 return std::make_unique<RankCr>(communicator, part, linksOf(workload.field(), part, own),
                                                 workload.cr(), engine, variants, variant, share, own);
               }) {}

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    CrRequest request;
    request.iterations = workload_.cr().iterations;
    return solve(inputs, outputs, request, control).report;
  }

  CrOutcome solve(const Inputs& inputs, std::span<const ArrayView> outputs, const CrRequest& request,
                  const Control& control) override {
    requireArrays(workload_, inputs, outputs);
    control.check();
    const Stopwatch watch;
    const WholeSpinor source(inputs.arrays[0]);
    const SpinorTarget solution(outputs[0]);
    CrRequest others = request;  // the first rank calls the observers, on this thread
    others.onIteration = {};
    others.trace = nullptr;
    std::vector<CrOutcome> outcomes(ranks_.size());
    ranks_.run(control, [&](reach::Communicator& communicator, RankCr& rank, std::int64_t first, std::int64_t slice,
                            const Control& own) {
      const CrPlace place{source.elements().data() + first, solution.elements() + first, slice};
      outcomes[static_cast<std::size_t>(communicator.rank())] =
          rank.solve(communicator, place, communicator.rank() == 0 ? request : others, own);
    });
    solution.finish();
    std::vector<RunReport> reports;
    for (const CrOutcome& one : outcomes) reports.push_back(one.report);
    CrOutcome outcome = std::move(outcomes.front());
    outcome.report = ranks_.reportOf(reports, workload_.work());
    outcome.report.phases.total = watch.seconds();
    return outcome;
  }

  [[nodiscard]] std::int64_t scratchBytes() const override { return ranks_.scratchBytes(); }
  [[nodiscard]] std::string description() const override { return ranks_.description(); }

 private:
  CrWorkload workload_;
  JoinedRanks<RankCr> ranks_;
};

}  // namespace

std::unique_ptr<CrPlan> prepareJoinedCr(std::span<Engine* const> engines, const VariantTable& variants,
                                        const std::string& variant, const CrWorkload& workload,
                                        std::span<const double> weights, const PrepareOptions& options,
                                        const Control& control) {
  return std::make_unique<JoinedCrPlan>(engines, variants, variant, workload, weights, options, control);
}

bool iteratesTogether(std::span<Engine* const> engines, const VariantTable& variants, const std::string& variant,
                      const Lattice& lattice) {
  const auto devices = std::ranges::count_if(engines, [](const Engine* one) { return one->info().isDevice(); });
  if (devices == 0) return true;
  return devices == std::ssize(engines) && devices <= lattice.extent(3) &&
         variants.at("cr", engines.front()->info().kind, variant).prepareTogether != nullptr;
}

namespace {

std::unique_ptr<Plan> joinDirac(std::span<Engine* const> engines, const VariantTable& variants,
                                const std::string& variant, const Workload& workload, std::span<const double> weights,
                                const PrepareOptions& options, const Control& control) {
  return prepareJoinedDirac(engines, variants, variant, workloadAs<DiracWorkload>(workload), weights, options, control);
}

std::unique_ptr<Plan> joinCr(std::span<Engine* const> engines, const VariantTable& variants, const std::string& variant,
                             const Workload& workload, std::span<const double> weights, const PrepareOptions& options,
                             const Control& control) {
  return prepareJoinedCr(engines, variants, variant, workloadAs<CrWorkload>(workload), weights, options, control);
}

}  // namespace

std::vector<Joiner> latticeJoiners() { return {{"dirac", joinDirac}, {"cr", joinCr}}; }

}  // namespace sscope
