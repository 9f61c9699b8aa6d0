#include "core/cpu/filter/filter_plan.h"

#include "core/cpu/filter/axis_order.h"
#include "core/cpu/filter/band_step.h"
#include "core/cpu/filter/dense_step.h"
#include "core/cpu/filter/fft_step.h"
#include "core/cpu/filter/folded_step.h"
#include "core/cpu/filter/methods.h"
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
    if (choice.methods[f] == MethodKind::Dense) {
      if (takesFoldedTaps(workload.operators()[f])) {
        steps.push_back(
            std::make_unique<FoldedStep<T>>(workload, f, denseOrder(workload, {f}), kernels.of<T>(), limits));
      } else if (BandStep<T>::suits(workload, f, kernels.of<T>())) {
        steps.push_back(std::make_unique<BandStep<T>>(workload, f, kernels.of<T>(), limits));
      } else {
        dense.push_back(f);
      }
    }
  if (!dense.empty())
    steps.push_back(
        std::make_unique<DenseStep<T>>(workload, dense, denseOrder(workload, dense), kernels.of<T>(), limits));
  for (std::size_t f = 0; f < choice.methods.size(); ++f) switch (choice.methods[f]) {
      case MethodKind::Dense:
      case MethodKind::DenseBaked: break;
      case MethodKind::Separable:
        steps.push_back(
            std::make_unique<SeparableStep<T>>(workload, f, separableOrder(workload, f), kernels.of<T>(), limits));
        break;
      case MethodKind::Fft:
        steps.push_back(std::make_unique<FftStep<T>>(workload, f, denseOrder(workload, {f}), kernels.of<T>()));
        break;
      case MethodKind::Selection:
      case MethodKind::Bisection: {
        const auto search = choice.methods[f] == MethodKind::Selection ? RankStep<T>::Search::Selection
                                                                       : RankStep<T>::Search::Bisection;
        steps.push_back(
            std::make_unique<RankStep<T>>(workload, f, search, denseOrder(workload, {f}), kernels.of<T>(), limits));
        break;
      }
    }
  return steps;
}

}  // namespace

std::unique_ptr<Plan> prepareFilter(const EngineInfo& engine, const KernelTable& kernels,
                                    const FilterWorkload& workload, MethodRequest request,
                                    const PrepareOptions& options) {
  const int threads = threadCount(options.threads);
  const CostModel model(engine, workload.precision(), threads, options.ceilings);
  const MethodChoice choice = chooseMethods(workload, filterMethods(), model, request);
  RunReport report = reportOf(workload, choice, request);
  report.engine = engine.id;
  return makeStepPlan(kernels, workload,
                      workload.precision() == Precision::f32 ? makeSteps<float>(workload, choice, kernels, threads)
                                                             : makeSteps<double>(workload, choice, kernels, threads),
                      threads, std::move(report));
}

}  // namespace sscope::cpu
