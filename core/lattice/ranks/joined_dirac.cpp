#include "core/lattice/ranks/joined_dirac.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/engine/plan_arrays.h"
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
    const Lattice& whole = workload.field().lattice();
    const std::vector<LatticePart> parts =
        weights.empty() ? latticeParts(whole, static_cast<int>(engines.size())) : latticeParts(whole, weights);
    const std::vector<PrepareOptions> shares = sharesOf(options);
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
    RunReport report = joined(reports);
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
  // Threads of the processor for each.
  [[nodiscard]] std::vector<PrepareOptions> sharesOf(const PrepareOptions& options) const {
    const auto own = std::count_if(engines_.begin(), engines_.end(), [](Engine* e) { return e->info().hasThreads(); });
    const int all = options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
    std::vector<PrepareOptions> shares(engines_.size(), options);
    for (std::size_t k = 0; k < engines_.size(); ++k)
      if (engines_[k]->info().hasThreads()) shares[k].threads = std::max(1, all / static_cast<int>(own));
    return shares;
  }

  [[nodiscard]] RunReport joined(const std::vector<RunReport>& reports) const {
    RunReport all = reports[0];
    const Work work = workload_.work();
    all.operations = work.operations;
    all.bytes = work.bytes;
    for (std::size_t k = 1; k < reports.size(); ++k) {
      const RunReport& one = reports[k];
      all.engine += '+' + one.engine;
      if (one.variant != reports[0].variant) all.variant += '+' + one.variant;
      all.threads += one.threads;
      all.executedOperations += one.executedOperations;
      // They run at the same time.
      all.phases.compile = std::max(all.phases.compile, one.phases.compile);
      all.phases.upload = std::max(all.phases.upload, one.phases.upload);
      all.phases.kernel = std::max(all.phases.kernel, one.phases.kernel);
      all.phases.download = std::max(all.phases.download, one.phases.download);
      for (const auto& [name, value] : one.launch)
        if (name == "halo bytes") all.launch[name] += value;
    }
    return all;
  }

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
