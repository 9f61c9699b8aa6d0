#include "core/cpu/filter/filter_plan.h"

#include <algorithm>

#include "core/cpu/filter/band_step.h"
#include "core/cpu/filter/dense_step.h"
#include "core/cpu/filter/rank_step.h"
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
  for (std::size_t f = 0; f < choice.methods.size(); ++f)
    if (choice.methods[f] == Method::Dense) {
      if (BandStep<T>::suits(workload, f, kernels.of<T>())) {
        steps.push_back(std::make_unique<BandStep<T>>(workload, f, kernels.of<T>(), limits));
      } else {
        dense.push_back(f);
      }
    }
  if (!dense.empty())
    steps.push_back(
        std::make_unique<DenseStep<T>>(workload, dense, denseOrder(workload, dense), kernels.of<T>(), limits));
  for (std::size_t f = 0; f < choice.methods.size(); ++f) switch (choice.methods[f]) {
      case Method::Dense: break;
      case Method::Separable:
        steps.push_back(
            std::make_unique<SeparableStep<T>>(workload, f, separableOrder(workload, f), kernels.of<T>(), limits));
        break;
      case Method::Selection:
      case Method::Bisection: {
        const auto search =
            choice.methods[f] == Method::Selection ? RankStep<T>::Search::Selection : RankStep<T>::Search::Bisection;
        steps.push_back(
            std::make_unique<RankStep<T>>(workload, f, search, denseOrder(workload, {f}), kernels.of<T>(), limits));
        break;
      }
    }
  return steps;
}

RunReport describeRun(const FilterWorkload& workload, const MethodChoice& choice, MethodRequest request) {
  double executed = 0;
  const double outputs = static_cast<double>(workload.region().voxels() * workload.input().extent[3]);
  RunReport report;
  for (const MethodRow& row : methodRows())
    if (std::find(choice.methods.begin(), choice.methods.end(), row.method) != choice.methods.end())
      report.variant += (report.variant.empty() ? "" : "+") + std::string(row.name);
  report.writtenOut = true;
  for (std::size_t f = 0; f < choice.methods.size(); ++f) {
    const Operator& op = workload.operators()[f];
    const bool passes = choice.methods[f] == Method::Separable;
    report.writtenOut = report.writtenOut && !passes;
    executed += op.stencil() == nullptr
                    ? outputs * static_cast<double>(op.taps())
                    : 2 * outputs * static_cast<double>(passes ? op.stencil()->separableTaps() : op.taps());
  }
  const Work work = request ? workload.workAs(*request == Method::Dense) : workload.work();
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
