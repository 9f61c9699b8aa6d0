#include "core/cpu/filter/rows.h"

#include <numeric>

#include "core/cpu/filter/axis_order.h"
#include "core/cpu/filter/band_step.h"
#include "core/cpu/filter/bank_step.h"
#include "core/cpu/filter/dense_step.h"
#include "core/cpu/filter/methods.h"
#include "core/cpu/filter/naive_step.h"
#include "core/cpu/filter/soup_step.h"
#include "core/cpu/filter/step_plan.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/run/scratch.h"
#include "core/cpu/run/threads.h"
#include "core/engine/typed_row.h"
#include "core/filter/method/method_choice.h"

namespace sscope::cpu {

namespace {

constexpr const char* kBankPaper =
    "A. Hast, Efficient convolution on multi-dimensional data, part 2 (2012), the first naive implementation";
constexpr const char* kConv2dPaper =
    "U. Dastgeer and C. Kessler, A performance-portable generic component for 2D convolution computations on "
    "GPU-based systems (2012), listing 1.1";
constexpr const char* kSoupTalk = "J. Stam, Convolution Soup: a case study in CUDA optimization (2009), naive";

using Steps = std::vector<std::unique_ptr<TileStep>>;
// The steps of one rung, for a number of threads.
using MakeSteps = std::function<Steps(const KernelTable&, const FilterWorkload&, int threads)>;

struct Rung {
  std::string workload, name, source;
  MakeSteps make;
  std::function<std::string(const FilterWorkload&)> restriction = [](const FilterWorkload&) { return std::string(); };
};

Variant rowOf(const Rung& rung) {
  Variant row;
  row.workload = rung.workload;
  row.name = rung.name;
  row.kind = EngineKind::Cpu;
  row.source = rung.source;
  row.unsupported = unsupportedFor<FilterWorkload>(
      [check = rung.restriction](const EngineInfo&, const FilterWorkload& workload) { return check(workload); });
  row.prepare = prepareFor<CpuEngine, FilterWorkload>(
      [name = rung.name, make = rung.make](CpuEngine& engine, const FilterWorkload& workload,
                                           const PrepareOptions& options, const Control&) {
        const Work work = workload.workAs(true);
        RunReport report;
        report.engine = engine.info().id;
        report.variant = name;
        report.operations = work.operations;
        report.bytes = work.bytes;
        const int threads = threadCount(options.threads);
        const KernelTable& kernels = engine.kernels();
        return makeStepPlan(kernels, workload, make(kernels, workload, threads), threads, std::move(report));
      });
  return row;
}

template <class Step, class... Arguments>
Steps oneStep(Arguments&&... arguments) {
  Steps steps;
  steps.push_back(std::make_unique<Step>(std::forward<Arguments>(arguments)...));
  return steps;
}

Steps naiveSteps(const KernelTable& kernels, const FilterWorkload& workload, int) {
  if (workload.precision() == Precision::f32) return oneStep<NaiveStep<float>>(workload, kernels.f32);
  return oneStep<NaiveStep<double>>(workload, kernels.f64);
}

// The dense tiles of workload "filter" serve these ladders too.
template <class T>
Steps tiledSteps(const FilterWorkload& workload, const PrecisionKernels<T>& kernels, int threads) {
  std::vector<std::size_t> all(workload.operators().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return oneStep<DenseStep<T>>(workload, all, denseOrder(workload, all), kernels, tileLimits(threads));
}

Steps blockedSteps(const KernelTable& kernels, const FilterWorkload& workload, int threads) {
  return workload.precision() == Precision::f32 ? tiledSteps(workload, kernels.f32, threads)
                                                : tiledSteps(workload, kernels.f64, threads);
}

// Bands and blocks of several kernels live from code written at run time, which the narrower levels have not: there the
// tiles are faster, and tuned runs them.
bool narrow(const KernelTable& kernels) { return kernels.f32.level < SimdLevel::Avx2; }

Steps bankSteps(const KernelTable& kernels, const FilterWorkload& workload, int threads) {
  if (narrow(kernels)) return blockedSteps(kernels, workload, threads);
  if (workload.precision() == Precision::f32)
    return oneStep<BankStep<float>>(workload, kernels.f32, tileLimits(threads));
  return oneStep<BankStep<double>>(workload, kernels.f64, tileLimits(threads));
}

Steps bandSteps(const KernelTable& kernels, const FilterWorkload& workload, int threads) {
  if (narrow(kernels)) return blockedSteps(kernels, workload, threads);
  return oneStep<BandStep<float>>(workload, std::size_t{0}, kernels.f32, tileLimits(threads));
}

Steps soupSteps(const KernelTable& kernels, const FilterWorkload& workload, int threads) {
  return oneStep<SoupStep>(workloadAs<SoupWorkload>(workload), kernels.f32.level, tileLimits(threads));
}

Steps naiveSoupSteps(const KernelTable& kernels, const FilterWorkload& workload, int) {
  return oneStep<NaiveSoupStep>(workloadAs<SoupWorkload>(workload), kernels);
}

std::string denseRestriction(const FilterWorkload& workload) {
  return methodRestriction(workload, filterMethods(SimdLevel::Scalar), MethodKind::Dense);
}

void addBank(VariantTable& variants) {
  variants.add(rowOf({"bank", "tuned", "Stencilscope", bankSteps, sameSizeRestriction}));
  variants.add(rowOf({"bank", "blocked", "Stencilscope", blockedSteps, denseRestriction}));
  variants.add(rowOf({"bank", "naive", kBankPaper, naiveSteps, sameSizeRestriction}));
}

void addConv2d(VariantTable& variants) {
  variants.add(rowOf({"conv2d", "tuned", "Stencilscope", bandSteps, denseRestriction}));
  variants.add(rowOf({"conv2d", "blocked", "Stencilscope", blockedSteps, denseRestriction}));
  variants.add(rowOf({"conv2d", "naive", kConv2dPaper, naiveSteps, sameSizeRestriction}));
}

void addSoup(VariantTable& variants) {
  variants.add(rowOf({"soup", "tuned", "Stencilscope", soupSteps, [](const FilterWorkload& workload) {
                        return SoupStep::restriction(workloadAs<SoupWorkload>(workload));
                      }}));
  variants.add(rowOf({"soup", "naive", kSoupTalk, naiveSoupSteps}));
}

}  // namespace

void addLadderRows(VariantTable& variants) {
  addBank(variants);
  addConv2d(variants);
  addSoup(variants);
}

}  // namespace sscope::cpu
