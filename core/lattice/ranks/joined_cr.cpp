#include "core/lattice/ranks/joined_cr.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/engine/plan.h"
#include "core/lattice/ranks/joined_ranks.h"
#include "core/lattice/ranks/rank_cr.h"

namespace sscope {

using namespace lattice;

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
    CrRequest others = request;  // observers are told by the first rank, on this thread
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

}  // namespace sscope
