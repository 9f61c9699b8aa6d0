#include "core/cpu/filter/filter_plan.h"

#include "core/cpu/filter/band_step.h"
#include "core/cpu/filter/dense_step.h"
#include "core/cpu/filter/separable_step.h"
#include "core/cpu/filter/step_plan.h"
#include "core/cpu/run/scratch.h"
#include "core/cpu/run/threads.h"

namespace sscope::cpu {

namespace {

template <class T>
std::vector<std::unique_ptr<TileStep>> makeSteps(const FilterWorkload& workload, const MethodChoice& choice,
                                                 const KernelTable& kernels, int threads) {
  const TileLimits limits = tileLimits(threads);
  std::vector<std::unique_ptr<TileStep>> steps;
  std::vector<std::size_t> dense;
  for (std::size_t f = 0; f < choice.dense.size(); ++f)
    if (choice.dense[f]) {
      if (BandStep<T>::suits(workload, f, kernels.of<T>())) {
        steps.push_back(std::make_unique<BandStep<T>>(workload, f, kernels.of<T>(), limits));
      } else {
        dense.push_back(f);
      }
    }
  if (!dense.empty())
    steps.push_back(
        std::make_unique<DenseStep<T>>(workload, dense, denseOrder(workload, dense), kernels.of<T>(), limits));
  for (std::size_t f = 0; f < choice.dense.size(); ++f)
    if (!choice.dense[f])
      steps.push_back(
          std::make_unique<SeparableStep<T>>(workload, f, separableOrder(workload, f), kernels.of<T>(), limits));
  return steps;
}

RunReport describeRun(const FilterWorkload& workload, const MethodChoice& choice, MethodRequest request) {
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
  RunReport report;
  report.variant = anyDense && anySeparable ? "dense+separable" : (anyDense ? "dense" : "separable");
  report.writtenOut = !anySeparable;
  report.why = choice.why;
  report.operations = work.operations;
  report.executedOperations = executed == work.operations ? 0 : executed;
  report.bytes = work.bytes;
  return report;
}

}  // namespace

std::unique_ptr<Plan> prepareFilter(const EngineInfo& engine, const KernelTable& kernels,
                                    const FilterWorkload& workload, MethodRequest request,
                                    const PrepareOptions& options) {
  const MethodChoice choice = chooseMethods(workload, request);
  const int threads = threadCount(options.threads);
  RunReport report = describeRun(workload, choice, request);
  report.engine = engine.id;
  return makeStepPlan(kernels, workload,
                      workload.precision() == Precision::f32 ? makeSteps<float>(workload, choice, kernels, threads)
                                                             : makeSteps<double>(workload, choice, kernels, threads),
                      threads, std::move(report));
}

}  // namespace sscope::cpu
