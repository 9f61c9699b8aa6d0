#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "core/cpu/filter/band_step.h"
#include "core/cpu/filter/dense_step.h"
#include "core/cpu/filter/ladder_steps.h"
#include "core/cpu/filter/methods.h"
#include "core/cpu/filter/rows.h"
#include "core/cpu/filter/step_plan.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/run/scratch.h"
#include "core/cpu/run/threads.h"
#include "core/engine/typed_row.h"
#include "core/filter/method/method_choice.h"
#include "core/filter/workload/soup_workload.h"

namespace sscope::cpu {

namespace {

// The first rungs of the ladders: output by output and tap by tap, directly from the input.

// Rows of outputs cut into pieces of a few milliseconds. All filters must have the same size and anchor.
class NaiveRows {
 public:
  explicit NaiveRows(const FilterWorkload& workload);

  [[nodiscard]] std::int64_t tiles() const { return pieces_ * extent()[1] * extent()[2] * space_.components(); }
  [[nodiscard]] std::int64_t longest() const { return longest_; }  // outputs of a tile
  [[nodiscard]] std::int64_t filters() const { return filters_; }
  [[nodiscard]] double work() const;

  struct Place {
    std::array<std::int64_t, 3> begin{};
    std::int64_t component = 0, count = 0;
  };
  [[nodiscard]] Place place(std::int64_t tile) const;
  // The job of a tile, without taps and out.
  template <class T>
  [[nodiscard]] NaiveJob<T> job(const Place& at, const ConstArrayView& input) const {
    NaiveJob<T> job;
    job.from = space_.packJob(input, at.component, at.begin, {at.count + size_[0] - 1, size_[1], size_[2]});
    job.size = size_;
    job.filters = filters_;
    job.count = at.count;
    job.outFilter = longest_;
    return job;
  }
  [[nodiscard]] StoreJob storeJob(const ArrayView& output, const Place& at) const {
    return space_.storeJob(output, at.component, at.begin, {at.count, 1, 1});
  }

 private:
  [[nodiscard]] const std::array<std::int64_t, 3>& extent() const { return space_.extent(); }
  std::array<std::int64_t, 3> size_;
  std::int64_t filters_;
  TileSpace space_;
  std::int64_t longest_, pieces_;
};

template <class T>
class NaiveStep final : public TileStep {
 public:
  NaiveStep(const FilterWorkload& workload, const PrecisionKernels<T>& kernels);

  [[nodiscard]] std::int64_t tiles() const override { return rows_.tiles(); }
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override { return rows_.work(); }
  [[nodiscard]] std::string description() const override { return "one output after the other"; }
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  NaiveRows rows_;
  const PrecisionKernels<T>& kernels_;
  std::vector<T> taps_;  // filters fastest
};

class NaiveSoupStep final : public TileStep {
 public:
  NaiveSoupStep(const SoupWorkload& workload, const KernelTable& kernels);

  [[nodiscard]] std::int64_t tiles() const override { return rows_.tiles(); }
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override { return rows_.work(); }
  [[nodiscard]] std::string description() const override { return "one output after the other, in integers"; }
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  NaiveRows rows_;
  const KernelTable& kernels_;
  std::vector<std::int32_t> taps_;
  float scale_;
};

constexpr std::int64_t kVoxelsOfPiece = 2'000'000;  // multiply-adds between two looks at the control

// Empty, or why rungs that need filters of equal size cannot run it.
std::string sameSizeRestriction(const FilterWorkload& workload) {
  for (const Operator& op : workload.operators()) {
    const Stencil* stencil = op.stencil();
    if (stencil == nullptr || stencil->separable() || stencil->dense.size != workload.operators()[0].size() ||
        stencil->dense.anchor != workload.operators()[0].anchor())
      return "it takes dense filters of one size";
  }
  if (std::ssize(workload.operators()) > kMostNaiveFilters)
    return "it takes " + std::to_string(kMostNaiveFilters) + " filters at most";
  return {};
}

NaiveRows::NaiveRows(const FilterWorkload& workload)
    : size_(workload.stencil(0).dense.size),
      filters_(std::ssize(workload.operators())),
      space_(workload, {0, 1, 2}, size_, workload.stencil(0).dense.anchor) {
  const std::int64_t perOutput = size_[0] * size_[1] * size_[2] * filters_;
  longest_ = std::clamp<std::int64_t>(kVoxelsOfPiece / perOutput, 1, extent()[0]);
  pieces_ = (extent()[0] + longest_ - 1) / longest_;
}

double NaiveRows::work() const {
  const auto& n = extent();
  return static_cast<double>(size_[0] * size_[1] * size_[2] * filters_) *
         static_cast<double>(n[0] * n[1] * n[2] * space_.components());
}

NaiveRows::Place NaiveRows::place(std::int64_t tile) const {
  Place at;
  at.begin[0] = tile % pieces_ * longest_;
  tile /= pieces_;
  for (std::size_t a = 1; a < 3; ++a) {
    at.begin[a] = tile % extent()[a];
    tile /= extent()[a];
  }
  at.component = tile;
  at.count = std::min(longest_, extent()[0] - at.begin[0]);
  return at;
}

template <class T>
NaiveStep<T>::NaiveStep(const FilterWorkload& workload, const PrecisionKernels<T>& kernels)
    : rows_(workload), kernels_(kernels) {
  const std::size_t taps = workload.stencil(0).dense.weights.size();
  for (std::size_t i = 0; i < taps; ++i)
    for (const Operator& op : workload.operators()) taps_.push_back(static_cast<T>(op.stencil()->dense.weights[i]));
}

template <class T>
std::int64_t NaiveStep<T>::scratchBytes() const {
  return ScratchCarver::paddedBytes<T>(rows_.longest() * rows_.filters());
}

template <class T>
void NaiveStep<T>::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  const NaiveRows::Place at = rows_.place(tile);
  NaiveJob<T> job = rows_.template job<T>(at, run.input);
  job.taps = taps_.data();
  job.out = ScratchCarver(scratch).take<T>(rows_.longest() * rows_.filters());
  kernels_.naive[static_cast<std::size_t>(run.input.type)](job);
  for (std::size_t f = 0; f < run.outputs.size(); ++f) {
    StoreJob store = rows_.storeJob(run.outputs[f], at);
    store.tile = job.out + static_cast<std::int64_t>(f) * job.outFilter;
    run.saturated[f] += kernels_.store[static_cast<std::size_t>(run.outputs[f].type)](store);
  }
}

NaiveSoupStep::NaiveSoupStep(const SoupWorkload& workload, const KernelTable& kernels)
    : rows_(workload), kernels_(kernels), scale_(workload.scale()) {
  for (const int tap : workload.taps()) taps_.push_back(tap);
}

std::int64_t NaiveSoupStep::scratchBytes() const { return ScratchCarver::paddedBytes<std::int32_t>(rows_.longest()); }

void NaiveSoupStep::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  const NaiveRows::Place at = rows_.place(tile);
  NaiveJob<std::int32_t> job = rows_.job<std::int32_t>(at, run.input);
  job.taps = taps_.data();
  job.out = ScratchCarver(scratch).take<std::int32_t>(rows_.longest());
  kernels_.naiveSoup(job);
  const StoreJob store = rows_.storeJob(run.outputs[0], at);
  kernels_.roundSums(job.out, at.count, scale_, reinterpret_cast<std::uint8_t*>(store.target), store.targetStride[0]);
}

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
