#include "core/cpu/filter_plan.h"

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/cpu/dense_step.h"
#include "core/cpu/separable_step.h"

namespace sscope::cpu {

namespace {

// All threads together; leaves room below the promised 64 MiB.
constexpr std::int64_t kScratchBudget = 48ll << 20;

TileLimits tileLimits(int threads) {
  TileLimits limits;
  limits.threads = threads;
  const long cache = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
  limits.largestBytes = kScratchBudget / threads;
  if (cache > 0) limits.cacheBytes = cache;
  return limits;
}

template <class T>
std::vector<std::unique_ptr<TileStep>> makeSteps(const FilterWorkload& workload, const MethodChoice& choice,
                                                 const KernelTable& kernels, int threads) {
  const TileLimits limits = tileLimits(threads);
  std::vector<std::unique_ptr<TileStep>> steps;
  std::vector<std::size_t> dense;
  for (std::size_t f = 0; f < choice.dense.size(); ++f)
    if (choice.dense[f]) dense.push_back(f);
  if (!dense.empty())
    steps.push_back(
        std::make_unique<DenseStep<T>>(workload, dense, denseOrder(workload, dense), kernels.of<T>(), limits));
  for (std::size_t f = 0; f < choice.dense.size(); ++f)
    if (!choice.dense[f])
      steps.push_back(
          std::make_unique<SeparableStep<T>>(workload, f, separableOrder(workload, f), kernels.of<T>(), limits));
  return steps;
}

class FilterPlan final : public Plan {
 public:
  FilterPlan(const EngineInfo& engine, const KernelTable& kernels, const FilterWorkload& workload,
             MethodRequest request, const PrepareOptions& options)
      : engine_(engine.id),
        input_(workload.input()),
        outputs_(workload.outputs()),
        finishStreaming_(kernels.finishStreaming) {
    const MethodChoice choice = chooseMethods(workload, request);
    threads_ = threadCount(options.threads);
    steps_ = workload.precision() == Precision::f32 ? makeSteps<float>(workload, choice, kernels, threads_)
                                                    : makeSteps<double>(workload, choice, kernels, threads_);
    std::int64_t largest = 0;
    for (const auto& step : steps_) {
      totalWork_ += step->work();
      largest = std::max(largest, step->scratchBytes());
    }
    // Filters too large for every thread to have its own tile run on fewer threads.
    threads_ = static_cast<int>(std::clamp<std::int64_t>(kScratchBudget / largest, 1, threads_));
    for (int t = 0; t < threads_; ++t) scratch_.emplace_back(largest);
    scratchBytes_ = largest * threads_;
    arena_.initialize(threads_);
    describeRun(workload, choice, request);
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
    for (const auto& step : steps_) {
      runStep(*step, run, before / totalWork_, step->work() / totalWork_);
      before += step->work();
    }
    RunReport report = report_;
    for (const auto& count : saturated) report.saturated.push_back(count.load());
    report.phases.kernel = report.phases.total = clock.seconds();
    return report;
  }

  [[nodiscard]] std::int64_t scratchBytes() const override { return scratchBytes_; }

  [[nodiscard]] std::string description() const override {
    std::string text;
    for (const auto& step : steps_) text += (text.empty() ? "" : "; ") + step->description();
    return text + "; " + std::to_string(scratchBytes_ >> 10) + " KiB of tiles";
  }

 private:
  // Outputs that would push everything else out of the caches are written past them.
  static constexpr std::int64_t kStreamingBytes = 16 << 20;

  void runStep(const TileStep& step, const TileRun& run, double before, double share) {
    const std::int64_t tiles = step.tiles();
    std::atomic<std::int64_t> done{0}, told{-1};
    arena_.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::int64_t>(0, tiles, 1),
          [&](const tbb::blocked_range<std::int64_t>& range) {
            const auto slot = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
            for (std::int64_t tile = range.begin(); tile != range.end(); ++tile) {
              run.control.check();
              step.runTile(tile, scratch_[slot], run);
              if (run.streaming) finishStreaming_();
              const std::int64_t percent = ++done * 100 / tiles;
              std::int64_t last = told.load();
              if (percent > last && told.compare_exchange_strong(last, percent))
                run.control.report(before + share * static_cast<double>(percent) / 100, "filtering");
            }
          },
          tbb::simple_partitioner());
    });
  }

  void checkArrays(const Inputs& inputs, std::span<const ArrayView> outputs) const {
    bool fit = inputs.arrays.size() == 1 && inputs.arrays[0].type == input_.type &&
               inputs.arrays[0].extent == input_.extent && outputs.size() == outputs_.size();
    for (std::size_t i = 0; fit && i < outputs.size(); ++i)
      fit = outputs[i].type == outputs_[i].type && outputs[i].extent == outputs_[i].extent;
    if (!fit)
      throw Error(ErrorKind::Usage, "the arrays do not have the shapes the filter was prepared for", "prepare it anew");
  }

  void describeRun(const FilterWorkload& workload, const MethodChoice& choice, MethodRequest request) {
    bool anyDense = false, anySeparable = false;
    double executed = 0;
    const double outputs = static_cast<double>(workload.region().voxels() * workload.input().extent[3]);
    for (std::size_t f = 0; f < choice.dense.size(); ++f) {
      const Filter& filter = workload.filters()[f];
      (choice.dense[f] ? anyDense : anySeparable) = true;
      executed += 2 * outputs * static_cast<double>(choice.dense[f] ? filter.denseTaps() : filter.separableTaps());
    }
    const Work work =
        request == MethodRequest::Automatic ? workload.work() : workload.workAs(request == MethodRequest::Dense);
    report_.engine = engine_;
    report_.variant = anyDense && anySeparable ? "dense+separable" : (anyDense ? "dense" : "separable");
    report_.writtenOut = !anySeparable;
    report_.why = choice.why;
    report_.threads = threads_;
    report_.operations = work.operations;
    report_.executedOperations = executed == work.operations ? 0 : executed;
    report_.bytes = work.bytes;
  }

  std::string engine_;
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
};

}  // namespace

int threadCount(int requested) {
  const int all = tbb::info::default_concurrency();
  return requested <= 0 ? all : std::min(requested, all);
}

std::unique_ptr<Plan> prepareFilter(const EngineInfo& engine, const KernelTable& kernels,
                                    const FilterWorkload& workload, MethodRequest request,
                                    const PrepareOptions& options) {
  return std::make_unique<FilterPlan>(engine, kernels, workload, request, options);
}

}  // namespace sscope::cpu
