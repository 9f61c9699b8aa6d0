#include "core/lattice/ranks/joined_dirac.h"

#include <vector>

#include "core/base/stopwatch.h"
#include "core/engine/plan_arrays.h"
#include "core/lattice/ranks/joined_parts.h"
#include "core/lattice/ranks/rank_dirac.h"
#include "core/reach/thread_ranks.h"

namespace sscope {

using namespace lattice;

namespace {

class JoinedDiracPlan final : public Plan {
 public:
  JoinedDiracPlan(std::span<Engine* const> engines, const VariantTable& variants, const std::string& variant,
                  const DiracWorkload& workload, std::span<const double> weights, const PrepareOptions& options,
                  const Control& control)
      : workload_(workload), engines_(engines.begin(), engines.end()), ranks_(static_cast<int>(engines.size())) {
    const std::vector<LatticePart> parts = partsFor(workload.field().lattice(), engines.size(), weights);
    const std::vector<PrepareOptions> shares = sharesOf(engines_, options);
    operators_.resize(engines.size());
    ranks_.run(control, [&](reach::Communicator& communicator, const Control& own) {
      const auto rank = static_cast<std::size_t>(communicator.rank());
      operators_[rank] =
          std::make_unique<RankDirac>(communicator, parts[rank], linksOf(workload.field(), parts[rank], own),
                                      workload.wilson(), *engines_[rank], variants, variant, shares[rank], own);
    });
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    requireArrays(workload_, inputs, outputs);
    control.check();
    const Stopwatch watch;
    const WholeSpinor source(inputs.arrays[0]);
    const bool dense = isWholeSpinor(outputs[0]);
    std::vector<double> scattered(dense ? 0 : static_cast<std::size_t>(outputs[0].elements()));
    auto* out = reinterpret_cast<Complex*>(dense ? outputs[0].as<double>() : scattered.data());
    std::vector<RunReport> reports(operators_.size());
    ranks_.run(control, [&](reach::Communicator& communicator, const Control& own) {
      const auto rank = static_cast<std::size_t>(communicator.rank());
      const LatticePart& part = operators_[rank]->part();
      const std::int64_t slice = kSpinorElements * part.whole.spatialVolume();
      const std::int64_t first = part.begin[3] * slice + kSpinorElements * part.firstInSlice();
      reports[rank] =
          operators_[rank]->apply(communicator, false, {source.elements().data() + first, out + first, slice}, own);
    });
    if (!dense) scatterSpinor(scattered, outputs[0]);
    RunReport report = joinedReport(reports, workload_.work());
    report.phases.total = watch.seconds();
    return report;
  }

  [[nodiscard]] std::int64_t scratchBytes() const override {
    std::int64_t sum = 0;
    for (const auto& one : operators_) sum += one->scratchBytes();
    return sum;
  }

  [[nodiscard]] std::string description() const override {
    std::string text;
    for (std::size_t rank = 0; rank < operators_.size(); ++rank) {
      const LatticePart& part = operators_[rank]->part();
      text += (rank > 0 ? "; " : "") + engines_[rank]->info().id + ": " + part.own.text() + ", " +
              operators_[rank]->description();
    }
    return text;
  }

 private:
  DiracWorkload workload_;
  std::vector<Engine*> engines_;
  reach::ThreadRanks ranks_;
  std::vector<std::unique_ptr<RankDirac>> operators_;
};

}  // namespace

std::unique_ptr<Plan> prepareJoinedDirac(std::span<Engine* const> engines, const VariantTable& variants,
                                         const std::string& variant, const DiracWorkload& workload,
                                         std::span<const double> weights, const PrepareOptions& options,
                                         const Control& control) {
  return std::make_unique<JoinedDiracPlan>(engines, variants, variant, workload, weights, options, control);
}

}  // namespace sscope
