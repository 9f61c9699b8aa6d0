#include "core/lattice/ranks/joined_cr.h"

#include <utility>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/engine/plan_arrays.h"
#include "core/lattice/ranks/joined_parts.h"
#include "core/lattice/ranks/rank_cr.h"
#include "core/reach/thread_ranks.h"

namespace sscope {

using namespace lattice;

namespace {

class JoinedCrPlan final : public CrPlan {
 public:
  JoinedCrPlan(std::span<Engine* const> engines, const VariantTable& variants, const std::string& variant,
               const CrWorkload& workload, std::span<const double> weights, const PrepareOptions& options,
               const Control& control)
      : workload_(workload), engines_(engines.begin(), engines.end()), ranks_(static_cast<int>(engines.size())) {
    const std::vector<LatticePart> parts = partsFor(workload.field().lattice(), engines.size(), weights);
    const std::vector<PrepareOptions> shares = sharesOf(engines_, options);
    solvers_.resize(engines.size());
    ranks_.run(control, [&](reach::Communicator& communicator, const Control& own) {
      const auto rank = static_cast<std::size_t>(communicator.rank());
      solvers_[rank] = std::make_unique<RankCr>(communicator, parts[rank], linksOf(workload.field(), parts[rank], own),
                                                workload.cr(), *engines_[rank], variants, variant, shares[rank], own);
    });
  }

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
    const bool dense = isWholeSpinor(outputs[0]);
    std::vector<double> scattered(dense ? 0 : static_cast<std::size_t>(outputs[0].elements()));
    auto* out = reinterpret_cast<Complex*>(dense ? outputs[0].as<double>() : scattered.data());
    CrRequest others = request;  // observers are told by the first rank, on this thread
    others.onIteration = {};
    others.trace = nullptr;
    std::vector<CrOutcome> outcomes(solvers_.size());
    ranks_.run(control, [&](reach::Communicator& communicator, const Control& own) {
      const auto rank = static_cast<std::size_t>(communicator.rank());
      const LatticePart& part = solvers_[rank]->part();
      const std::int64_t slice = kSpinorElements * part.whole.spatialVolume();
      const std::int64_t first = part.begin[3] * slice + kSpinorElements * part.firstInSlice();
      outcomes[rank] = solvers_[rank]->solve(communicator, {source.elements().data() + first, out + first, slice},
                                             rank == 0 ? request : others, own);
    });
    if (!dense) scatterSpinor(scattered, outputs[0]);
    std::vector<RunReport> reports;
    for (const CrOutcome& one : outcomes) reports.push_back(one.report);
    CrOutcome outcome = std::move(outcomes.front());
    outcome.report = joinedReport(reports, workload_.work());
    outcome.report.phases.total = watch.seconds();
    return outcome;
  }

  [[nodiscard]] std::int64_t scratchBytes() const override {
    std::int64_t sum = 0;
    for (const auto& one : solvers_) sum += one->scratchBytes();
    return sum;
  }

  [[nodiscard]] std::string description() const override {
    std::string text;
    for (std::size_t rank = 0; rank < solvers_.size(); ++rank)
      text += (rank > 0 ? "; " : "") + engines_[rank]->info().id + ": " + solvers_[rank]->part().own.text() + ", " +
              solvers_[rank]->description();
    return text;
  }

 private:
  CrWorkload workload_;
  std::vector<Engine*> engines_;
  reach::ThreadRanks ranks_;
  std::vector<std::unique_ptr<RankCr>> solvers_;
};

}  // namespace

std::unique_ptr<CrPlan> prepareJoinedCr(std::span<Engine* const> engines, const VariantTable& variants,
                                        const std::string& variant, const CrWorkload& workload,
                                        std::span<const double> weights, const PrepareOptions& options,
                                        const Control& control) {
  return std::make_unique<JoinedCrPlan>(engines, variants, variant, workload, weights, options, control);
}

}  // namespace sscope
