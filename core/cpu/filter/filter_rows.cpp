#include <algorithm>
#include <memory>

#include "core/cpu/filter/band_step.h"
#include "core/cpu/filter/dense_step.h"
#include "core/cpu/filter/exact_rounding.h"
#include "core/cpu/filter/fft_step.h"
#include "core/cpu/filter/folded_step.h"
#include "core/cpu/filter/methods.h"
#include "core/cpu/filter/range_step.h"
#include "core/cpu/filter/rows.h"
#include "core/cpu/filter/separable_step.h"
#include "core/cpu/filter/step_plan.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/window_steps.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/run/kernel_table.h"
#include "core/cpu/run/scratch.h"
#include "core/cpu/run/threads.h"
#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/engine/typed_row.h"
#include "core/filter/low_rank.h"
#include "core/filter/method/method_choice.h"
#include "core/filter/workload/rounding_error.h"

namespace sscope::cpu {

namespace {

// Workload "filter" prepared for one CPU level.

using Steps = std::vector<std::unique_ptr<TileStep>>;

double denseMultiplyAdds(const FilterWorkload& workload, std::size_t f, SimdLevel level) {
  const auto& planned = workload.planned();
  const MethodOutputs outputs{
      {planned[0], planned[1], planned[2], workload.input().extent[3]}, workload.precision(), workload.orderedAs()};
  const auto methods = filterMethods(level);
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
    addSeparable<T>(filters);
    addFft<T>(filters);
    for (const std::size_t f : filters) addAlone<T>(f);
  }

  // Filters in passes share what they read and the passes that are alike, where that is expected to take less time.
  template <class T>
  void addSeparable(const std::vector<std::size_t>& filters) {
    constexpr std::size_t kMost = 8;  // planes of more filters leave the caches
    constexpr double kWorthIt = 0.97;
    struct Group {
      AxisOrder order;
      std::vector<std::size_t> filters;
      double cost = 0;
    };
    std::vector<Group> groups;
    for (const std::size_t f : filters) {
      if (choice.methods[f] != MethodKind::Separable) continue;
      const AxisOrder order = separableOrder(workload, f);
      const auto costOf = [&](const std::vector<std::size_t>& together) {
        return SeparableStep<T>::predict(workload, together, order, kernels.of<T>(), limits);
      };
      const Group alone{order, {f}, costOf({f})};
      Group best = alone;
      Group* joined = nullptr;
      double saved = 0;
      for (Group& group : groups) {
        if (group.order != order || group.filters.size() == kMost) continue;
        Group both = group;
        both.filters.push_back(f);
        both.cost = costOf(both.filters);
        const double apart = group.cost + alone.cost;
        if (both.cost > kWorthIt * apart || apart - both.cost <= saved) continue;
        saved = apart - both.cost;
        best = std::move(both);
        joined = &group;
      }
      joined != nullptr ? void(*joined = std::move(best)) : groups.push_back(std::move(best));
    }
    for (const Group& group : groups) {
      std::vector<std::unique_ptr<PlaneStore>> stores;
      for (const std::size_t f : group.filters) stores.push_back(roundingOf<T>(f, group.order));
      steps.push_back(std::make_unique<SeparableStep<T>>(workload, group.filters, group.order, kernels.of<T>(), limits,
                                                         std::move(stores)));
    }
  }

  // Null: the filter is best summed together with others.
  template <class T>
  [[nodiscard]] std::unique_ptr<TileStep> denseAlone(std::size_t f) const {
    if (takesFoldedTaps(workload.operators()[f], vectorRegisters(kernels.f32.level))) {
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
  [[nodiscard]] std::unique_ptr<TileStep> fft(const std::vector<std::size_t>& filters) const {
    std::vector<typename FftStep<T>::Sums> sums;
    for (const std::size_t f : filters) {
      sums.push_back({denseAlone<T>(f), denseMultiplyAdds(workload, f, kernels.f32.level)});
      if (!sums.back().step) sums.back().step = denseTogether<T>({f});
    }
    return std::make_unique<FftStep<T>>(workload, filters, denseOrder(workload, {filters[0]}), kernels.of<T>(),
                                        std::move(sums));
  }

  // Those of the same size and anchor share transforms, unless that leaves threads without scratch.
  template <class T>
  void addFft(const std::vector<std::size_t>& filters) {
    std::vector<std::vector<std::size_t>> groups;
    for (const std::size_t f : filters) {
      if (choice.methods[f] != MethodKind::Fft) continue;
      const auto joined = std::ranges::find_if(groups, [&](const auto& group) {
        return sharesWork(workload.operators()[group[0]], workload.operators()[f]);
      });
      joined == groups.end() ? groups.push_back({f}) : joined->push_back(f);
    }
    for (const auto& group : groups) {
      auto together = fft<T>(group);
      if (group.size() == 1 || together->scratchBytes() <= limits.largestBytes) {
        steps.push_back(std::move(together));
        continue;
      }
      for (const std::size_t f : group) steps.push_back(fft<T>({f}));
    }
  }

  [[nodiscard]] std::unique_ptr<TileStep> rank(std::size_t f) const {
    const AxisOrder order = denseOrder(workload, {f});
    return withRankKey(workload.orderedAs(), [&](auto key) -> std::unique_ptr<TileStep> {
      using Key = decltype(key);
      if (choice.methods[f] == MethodKind::Lines)
        return std::make_unique<LinesStep<Key>>(workload, f, order, kernels, limits);
      return std::make_unique<RankStep<Key>>(workload, f, choice.methods[f], order, kernels, limits);
    });
  }

  [[nodiscard]] std::unique_ptr<TileStep> entropy(std::size_t f) const {
    const AxisOrder order = denseOrder(workload, {f});
    return withRankKey(workload.orderedAs(), [&](auto key) -> std::unique_ptr<TileStep> {
      return std::make_unique<EntropyStep<decltype(key)>>(workload, f, order, kernels, limits);
    });
  }

  template <class T>
  void addAlone(std::size_t f) {
    switch (choice.methods[f]) {
      case MethodKind::Dense:
      case MethodKind::DenseBaked: break;
      case MethodKind::Fused:  // no methods of processors
      case MethodKind::FusedBank:
      case MethodKind::Separable:
      case MethodKind::Fft: break;
      case MethodKind::LowRank:
        steps.push_back(std::make_unique<LowRankStep<T>>(workload, f, kernels.of<T>(), limits));
        break;
      case MethodKind::Merging:
      case MethodKind::Selection:
      case MethodKind::Bisection:
      case MethodKind::Histogram:
      case MethodKind::Lines: steps.push_back(rank(f)); break;
      case MethodKind::Counting: steps.push_back(entropy(f)); break;
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

bool cancels(const FilterWorkload& workload, std::size_t filter) {
  return lowRankSum(workload.stencil(filter).dense, workload.precision())->wide;
}

// Whether single precision gives what is asked for. Order statistics are some of the input's elements.
bool suitsSingle(const FilterWorkload& workload, std::size_t filter, MethodKind method, const KernelTable& kernels) {
  if (workload.precision() == Precision::f32) return method != MethodKind::LowRank || !cancels(workload, filter);
  if (method == MethodKind::Weighted) return roundsMeans(workload);
  if (method == MethodKind::Counting) return false;  // sums are integers, and entropies made in double precision
  return ranks(method) ? workload.orderedAs() != ElementType::f64 : roundsExactly(workload, filter, method, kernels);
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
    return chooseMethods(workload, filterMethods(kernels.f32.level), model, request);
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
  return makeStepPlan(kernels, workload, std::move(maker.steps), threads, std::move(report), options.trace);
}

// Expected seconds of a run of that plan (CostModel::seconds).
double predictFilter(const EngineInfo& engine, const KernelTable& kernels, const FilterWorkload& workload,
                     MethodRequest request, const PrepareOptions& options) {
  return choose(engine, kernels, workload, request, options).methods.seconds;
}

Variant filterRow(std::string name, MethodRequest request) {
  Variant row;
  row.workload = "filter";
  row.name = std::move(name);
  row.kind = EngineKind::Cpu;
  row.source = "Stencilscope";
  // What methods take is the same on every level.
  row.unsupported = unsupportedFor<FilterWorkload>([request](const EngineInfo&, const FilterWorkload& workload) {
    return methodRestriction(workload, filterMethods(SimdLevel::Scalar), request);
  });
  row.prepare = prepareFor<CpuEngine, FilterWorkload>(
      [request](CpuEngine& engine, const FilterWorkload& workload, const PrepareOptions& options, const Control&) {
        return prepareFilter(engine.info(), engine.kernels(), workload, request, options);
      });
  row.predict = predictFor<CpuEngine, FilterWorkload>(
      [request](const CpuEngine& engine, const FilterWorkload& workload, const PrepareOptions& options) {
        return predictFilter(engine.info(), engine.kernels(), workload, request, options);
      });
  return row;
}

}  // namespace

void addFilterRows(VariantTable& variants) {
  variants.add(filterRow("auto", std::nullopt));
  for (const MethodKind kind : {MethodKind::Separable, MethodKind::Dense, MethodKind::LowRank, MethodKind::Fft,
                                MethodKind::Weighted, MethodKind::Counting, MethodKind::Merging, MethodKind::Selection,
                                MethodKind::Bisection, MethodKind::Histogram, MethodKind::Lines})
    variants.add(filterRow(std::string(toString(kind)), kind));
}

}  // namespace sscope::cpu
