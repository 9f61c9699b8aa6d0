#include "core/cpu/filter/step_plan.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/cpu/run/scratch.h"
#include "core/engine/run_trace.h"
#include "core/filter/workload/filter_shape.h"

namespace sscope::cpu {

namespace {

class StepPlan final : public Plan {
 public:
  StepPlan(const KernelTable& kernels, const FilterWorkload& workload, std::vector<std::unique_ptr<TileStep>> steps,
           int threads, RunReport report, std::shared_ptr<RunTrace> trace)
      : workload_(workload),
        input_(workload.input()),
        outputs_(workload.outputs()),
        finishStreaming_(kernels.finishStreaming),
        steps_(std::move(steps)),
        report_(std::move(report)),
        trace_(std::move(trace)) {
    std::int64_t largest = 64;
    for (const auto& step : steps_) {
      totalWork_ += step->work();
      largest = std::max(largest, step->scratchBytes());
    }
    threads_ = static_cast<int>(std::clamp<std::int64_t>(kScratchBudget / largest, 1, threads));
    for (int t = 0; t < threads_; ++t) scratch_.emplace_back(largest);
    scratchBytes_ = largest * threads_;
    arena_.initialize(threads_);
    report_.threads = threads_;
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    checkArrays(inputs, outputs);
    const Stopwatch clock;
    std::vector<std::atomic<std::int64_t>> saturated(outputs.size());
    std::int64_t outputBytes = 0;
    for (const ArraySpec& spec : outputs_) outputBytes += spec.bytes();
    const TileRun run{inputs.arrays[0], outputs, control, saturated, outputBytes > kStreamingBytes};
    control.check();
    double before = 0;
    RunReport report = report_;
    for (const auto& step : steps_) {
      const double begin = trace_ ? trace_->now() : 0;
      step->begin();
      forEach(step->looks(), run, [&](std::int64_t place, const Scratch& scratch) { step->look(place, scratch, run); });
      step->decide();
      runStep(*step, run, before / totalWork_, step->work() / totalWork_);
      before += step->work();
      step->tell(report);
      if (trace_) trace_->add(nameOf(*step), begin, trace_->now());
    }
    for (const auto& count : saturated) report.saturated.push_back(count.load());
    report.phases.kernel = report.phases.total = clock.seconds();
    return report;
  }

  bool adopt(const Workload& workload, const Control&) override {
    const auto* next = workloadIf<FilterWorkload>(workload);
    if (next == nullptr || !sameShape(workload_, *next) || !sameSums(workload_, *next)) return false;
    workload_ = *next;
    return std::ranges::all_of(steps_, [&](const auto& step) { return step->takeWeights(workload_); });
  }

  [[nodiscard]] std::int64_t scratchBytes() const override { return scratchBytes_; }

  [[nodiscard]] std::int64_t grain() const override {
    std::int64_t grain = 1;
    for (const auto& step : steps_) grain = std::lcm(grain, step->grain());
    return grain;
  }

  [[nodiscard]] std::string description() const override {
    std::string text;
    for (const auto& step : steps_) text += (text.empty() ? "" : "; ") + step->description();
    return text + "; " + std::to_string(scratchBytes_ >> 10) + " KiB of tiles";
  }

 private:
  // What its description begins with.
  [[nodiscard]] static std::string nameOf(const TileStep& step) {
    const std::string text = step.description();
    std::size_t end = text.find_first_of(",:;(");
    for (const char* word : {" in ", " of "}) end = std::min(end, text.find(word));
    return text.substr(0, end);
  }

  // Outputs that would push everything else out of the caches are written past them.
  static constexpr std::int64_t kStreamingBytes = 16 << 20;

  // work(i, scratch) for all i < count, on all threads.
  template <class Work>
  void forEach(std::int64_t count, const TileRun& run, Work&& work) {
    if (count == 0) return;
    arena_.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::int64_t>(0, count, 1),
          [&](const tbb::blocked_range<std::int64_t>& range) {
            const auto slot = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
            for (std::int64_t i = range.begin(); i != range.end(); ++i) {
              run.control.check();
              work(i, scratch_[slot]);
            }
          },
          tbb::simple_partitioner());
    });
  }

  void runStep(const TileStep& step, const TileRun& run, double before, double share) {
    const std::int64_t tiles = step.tiles();
    std::atomic<std::int64_t> done{0}, told{-1};
    forEach(tiles, run, [&](std::int64_t tile, const Scratch& scratch) {
      step.runTile(tile, scratch, run);
      if (run.streaming) finishStreaming_();
      const std::int64_t percent = ++done * 100 / tiles;
      std::int64_t last = told.load();
      if (percent > last && told.compare_exchange_strong(last, percent))
        run.control.report(before + share * static_cast<double>(percent) / 100, "filtering");
    });
  }

  void checkArrays(const Inputs& inputs, std::span<const ArrayView> outputs) const {
    bool fit = inputs.arrays.size() == 1 && inputs.arrays[0].type == input_.type &&
               inputs.arrays[0].extent == input_.extent && outputs.size() == outputs_.size();
    for (std::size_t i = 0; fit && i < outputs.size(); ++i)
      fit = outputs[i].type == outputs_[i].type && outputs[i].extent == outputs_[i].extent;
    if (!fit)
      throw Error(ErrorKind::Usage, "the arrays do not have the shapes the filter was prepared for",
                  "prepare it again");
  }

  FilterWorkload workload_;  // a ladder's without its name: those are not adopted
  ArraySpec input_;
  std::vector<ArraySpec> outputs_;
  void (*finishStreaming_)();
  int threads_ = 1;
  std::vector<std::unique_ptr<TileStep>> steps_;
  std::vector<Scratch> scratch_;  // per thread
  std::int64_t scratchBytes_ = 0;
  double totalWork_ = 0;
  tbb::task_arena arena_;
  RunReport report_;
  std::shared_ptr<RunTrace> trace_;  // may be null
};

}  // namespace

std::unique_ptr<Plan> makeStepPlan(const KernelTable& kernels, const FilterWorkload& workload,
                                   std::vector<std::unique_ptr<TileStep>> steps, int threads, RunReport report,
                                   std::shared_ptr<RunTrace> trace) {
  return std::make_unique<StepPlan>(kernels, workload, std::move(steps), threads, std::move(report), std::move(trace));
}

}  // namespace sscope::cpu
