#include "core/lattice/ranks/joined_dirac.h"

#include <vector>

#include "core/base/stopwatch.h"
#include "core/engine/plan.h"
#include "core/lattice/ranks/joined_ranks.h"
#include "core/lattice/ranks/rank_dirac.h"

namespace sscope {

using namespace lattice;

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

}  // namespace sscope
