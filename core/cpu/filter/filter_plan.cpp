#include "core/cpu/filter/filter_plan.h"

#include <algorithm>

#include "core/cpu/filter/axis_order.h"
#include "core/cpu/filter/band_step.h"
#include "core/cpu/filter/dense_step.h"
#include "core/cpu/filter/exact_rounding.h"
#include "core/cpu/filter/fft_step.h"
#include "core/cpu/filter/folded_step.h"
#include "core/cpu/filter/low_rank_step.h"
#include "core/cpu/filter/methods.h"
#include "core/cpu/filter/range_step.h"
#include "core/cpu/filter/rank_step.h"
#include "core/cpu/filter/separable_step.h"
#include "core/cpu/filter/step_plan.h"
#include "core/cpu/run/scratch.h"
#include "core/cpu/run/threads.h"
#include "core/filter/low_rank.h"
#include "core/filter/rounding_error.h"

namespace sscope::cpu {

namespace {

using Steps = std::vector<std::unique_ptr<TileStep>>;

double denseMultiplyAdds(const FilterWorkload& workload, std::size_t f) {
  const Box& region = workload.region();
  const MethodOutputs outputs{{region.size(0), region.size(1), region.size(2), workload.input().extent[3]},
                              workload.precision()};
  const auto methods = filterMethods();
  return std::ranges::find(methods, MethodKind::Dense, &Method::kind)
      ->work(workload.operators()[f], outputs)
      .multiplyAdds;
}

struct StepMaker {
  const FilterWorkload& workload;
  const MethodChoice& choice;
  const KernelTable& kernels;
  TileLimits limits;
  Steps steps{};

  // The steps of filters that are computed in T.
  template <class T>
  void add(const std::vector<std::size_t>& filters) {
    std::vector<std::size_t> dense;
    for (const std::size_t f : filters)
      if (choice.methods[f] == MethodKind::Dense) {
        if (auto step = denseAlone<T>(f)) {
          steps.push_back(std::move(step));
        } else {
          dense.push_back(f);
        }
      }
    if (!dense.empty()) steps.push_back(denseTogether<T>(dense));
    for (const std::size_t f : filters) addAlone<T>(f);
  }

  // Null: the filter is best summed together with others.
  template <class T>
  [[nodiscard]] std::unique_ptr<TileStep> denseAlone(std::size_t f) const {
    if (takesFoldedTaps(workload.operators()[f])) {
      const AxisOrder order = denseOrder(workload, {f});
      return std::make_unique<FoldedStep<T>>(workload, f, order, kernels.of<T>(), limits, roundingOf<T>(f, order));
    }
    if (BandStep<T>::suits(workload, f, kernels.of<T>()))
      return std::make_unique<BandStep<T>>(workload, f, kernels.of<T>(), limits, roundingOf<T>(f, AxisOrder{0, 1, 2}));
    return nullptr;
  }

  template <class T>
  [[nodiscard]] std::unique_ptr<TileStep> denseTogether(const std::vector<std::size_t>& filters) const {
    const AxisOrder order = denseOrder(workload, filters);
    std::vector<std::unique_ptr<ExactRounding>> rounding;
    for (const std::size_t f : filters) rounding.push_back(roundingOf<T>(f, order));
    return std::make_unique<DenseStep<T>>(workload, filters, order, kernels.of<T>(), limits, std::move(rounding));
  }

  template <class T>
  [[nodiscard]] std::unique_ptr<TileStep> fft(std::size_t f) const {
    typename FftStep<T>::Sums sums{denseAlone<T>(f), denseMultiplyAdds(workload, f)};
    if (!sums.step) sums.step = denseTogether<T>({f});
    return std::make_unique<FftStep<T>>(workload, f, denseOrder(workload, {f}), kernels.of<T>(), std::move(sums));
  }

  template <class T>
  void addAlone(std::size_t f) {
    switch (choice.methods[f]) {
      case MethodKind::Dense:
      case MethodKind::DenseBaked: break;
      case MethodKind::Fused:  // no method of processors
      case MethodKind::Separable: {
        const AxisOrder order = separableOrder(workload, f);
        steps.push_back(
            std::make_unique<SeparableStep<T>>(workload, f, order, kernels.of<T>(), limits, roundingOf<T>(f, order)));
        break;
      }
      case MethodKind::LowRank:
        steps.push_back(std::make_unique<LowRankStep<T>>(workload, f, kernels.of<T>(), limits));
        break;
      case MethodKind::Fft: steps.push_back(fft<T>(f)); break;
      case MethodKind::Selection:
      case MethodKind::Bisection: {
        const auto search = choice.methods[f] == MethodKind::Selection ? RankStep<T>::Search::Selection
                                                                       : RankStep<T>::Search::Bisection;
        steps.push_back(
            std::make_unique<RankStep<T>>(workload, f, search, denseOrder(workload, {f}), kernels.of<T>(), limits));
        break;
      }
      case MethodKind::Weighted:
        steps.push_back(
            std::make_unique<RangeStep<T>>(workload, f, denseOrder(workload, {f}), kernels.of<T>(), limits));
        break;
    }
  }

  // Of sums in single precision that stand for double precision.
  template <class T>
  [[nodiscard]] std::unique_ptr<ExactRounding> roundingOf(std::size_t f, const AxisOrder& order) const {
    if (sizeof(T) != sizeof(float) || workload.precision() == Precision::f32) return nullptr;
    return std::make_unique<ExactRounding>(workload, f, choice.methods[f], order, kernels);
  }
};

// Whether single precision holds every element, and the value outside.
bool holdsInput(const FilterWorkload& workload) {
  const ElementType type = workload.input().type;
  const bool wide = type == ElementType::u32 || type == ElementType::i32 || type == ElementType::f64;
  const double outside = workload.boundary() == Boundary::constant ? workload.constant() : 0;
  return !wide && static_cast<double>(static_cast<float>(outside)) == outside;
}

bool cancels(const FilterWorkload& workload, std::size_t filter) {
  return lowRankSum(workload.stencil(filter).dense, workload.precision())->wide;
}

// Whether single precision gives what is asked for. Order statistics are some of the input's elements.
bool suitsSingle(const FilterWorkload& workload, std::size_t filter, MethodKind method, const KernelTable& kernels) {
  if (workload.precision() == Precision::f32) return method != MethodKind::LowRank || !cancels(workload, filter);
  if (method == MethodKind::Weighted) return roundsMeans(workload);
  const bool chosen = method == MethodKind::Selection || method == MethodKind::Bisection;
  return chosen ? holdsInput(workload) : roundsExactly(workload, filter, method, kernels);
}

using Filters = std::array<std::vector<std::size_t>, 2>;  // in single and in double precision

Filters byPrecision(const FilterWorkload& workload, const MethodChoice& choice, const KernelTable& kernels) {
  Filters filters;
  for (std::size_t f = 0; f < choice.methods.size(); ++f)
    filters[suitsSingle(workload, f, choice.methods[f], kernels) ? 0 : 1].push_back(f);
  return filters;
}

struct Chosen {
  MethodChoice methods;
  Filters filters;
  bool single = false;  // single precision stands for double precision everywhere
};

Chosen choose(const EngineInfo& engine, const KernelTable& kernels, const FilterWorkload& workload,
              MethodRequest request, const PrepareOptions& options) {
  const auto cheapest = [&](Precision precision) {
    const CostModel model(engine, precision, threadCount(options.threads), options.ceilings);
    return chooseMethods(workload, filterMethods(), model, request);
  };
  Chosen chosen;
  chosen.methods = cheapest(workload.precision());
  chosen.filters = byPrecision(workload, chosen.methods, kernels);
  chosen.single = workload.precision() == Precision::f64 && chosen.filters[1].empty();
  if (chosen.single) {  // as long as the times of single precision choose no methods that need double precision
    MethodChoice other = cheapest(Precision::f32);
    if (Filters others = byPrecision(workload, other, kernels); others[1].empty())
      chosen.methods = std::move(other), chosen.filters = std::move(others);
  }
  return chosen;
}

}  // namespace

std::unique_ptr<Plan> prepareFilter(const EngineInfo& engine, const KernelTable& kernels,
                                    const FilterWorkload& workload, MethodRequest request,
                                    const PrepareOptions& options) {
  const int threads = threadCount(options.threads);
  const Chosen chosen = choose(engine, kernels, workload, request, options);
  StepMaker maker{workload, chosen.methods, kernels, tileLimits(threads)};
  maker.add<float>(chosen.filters[0]);
  maker.add<double>(chosen.filters[1]);
  RunReport report = reportOf(workload, chosen.methods, request);
  report.engine = engine.id;
  if (chosen.single) report.precision = Precision::f32;
  if (chosen.filters[0].empty() && workload.precision() == Precision::f32) report.precision = Precision::f64;
  return makeStepPlan(kernels, workload, std::move(maker.steps), threads, std::move(report));
}

double predictFilter(const EngineInfo& engine, const KernelTable& kernels, const FilterWorkload& workload,
                     MethodRequest request, const PrepareOptions& options) {
  return choose(engine, kernels, workload, request, options).methods.seconds;
}

}  // namespace sscope::cpu
