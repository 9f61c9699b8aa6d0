#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "core/base/stopwatch.h"
#include "core/cpu/filter/formula_code.h"
#include "core/cpu/filter/formula_rows_source.h"
#include "core/cpu/filter/rows.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/run/kernel_table.h"
#include "core/cpu/run/threads.h"
#include "core/engine/cost_model.h"
#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/engine/plan_arrays.h"
#include "core/engine/typed_row.h"
#include "core/filter/formula/workload/formula_workload.h"

namespace sscope::cpu {

namespace {

// Workload "formula" prepared for one CPU level.

// All registers of a block should fit into the first-level cache, beside what is read.
constexpr std::int64_t kBlockBytes = 2048, kLeastBlockBytes = 512, kCacheBytes = 24 << 10;
// Outputs that would push everything else out of the caches are written past them.
constexpr std::int64_t kStreamedBytes = 16 << 20;
constexpr std::int64_t kTallestTile = 64;

bool denseArray(const std::array<std::int64_t, 4>& extent, const std::array<std::int64_t, 4>& stride) {
  const auto& [nx, ny, nz, nc] = extent;
  return stride[0] == nc && stride[1] == nx * nc && stride[2] == nx * ny * nc && (nc == 1 || stride[3] == 1);
}

template <class T>
class FormulaPlan final : public Plan {
 public:
  FormulaPlan(const EngineInfo& engine, const KernelTable& kernels, const FormulaWorkload& workload, int threads)
      : workload_(workload),
        kernels_(kernels.of<T>()),
        finishStreaming_(kernels.finishStreaming),
        formulaKernels_(formulaKernels(kernels.f32.level)),
        program_(compileFormula(workload.formula())),
        code_(formulaCode(program_, workload.formula().reads().size())),
        lanes_(formulaKernels_.lanes<T>()) {
    takeUniforms();
    const Box& region = workload.setting().region;
    extent_ = {region.size(0) * workload.components(), region.size(1), region.size(2)};
    flat_ = workload.formula().pointwise() &&
            std::ranges::all_of(workload.setting().inputs, [&](const FormulaInput& input) {
              return input.box == region && input.spec.extent[3] == workload.components();
            });
    for (std::size_t r = 0; r < workload.formula().reads().size(); ++r) addRead(r);
    chooseBlock(threads);
    const std::int64_t bytes = threadBytes(block_);
    threads_ = static_cast<int>(std::clamp<std::int64_t>(kScratchBudget / bytes, 1, threads));
    for (int t = 0; t < threads_; ++t) scratch_.emplace_back(bytes);
    scratchBytes_ = bytes * threads_;
    arena_.initialize(threads_);
    report_.engine = engine.id;
    report_.variant = "rows";
    report_.threads = threads_;
    const Work work = workload.work();
    report_.operations = work.operations;
    report_.bytes = work.bytes;
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    requireArrays(workload_, inputs, outputs);
    control.check();
    const Stopwatch clock;
    const bool streaming = workload_.outputs()[0].bytes() > kStreamedBytes;
    Run run{inputs.arrays, outputs[0], control, streaming, {0}};
    const auto dense = [](const auto& array) { return denseArray(array.extent, array.stride); };
    if (flat_ && std::ranges::all_of(inputs.arrays, dense) && dense(outputs[0])) {
      const std::int64_t values = extent_[0] * extent_[1] * extent_[2];
      const std::int64_t piece = block_ * kTallestTile;
      forEach((values + piece - 1) / piece, run, [&](std::int64_t tile, const Scratch& scratch) {
        runPiece(tile * piece, std::min(values, (tile + 1) * piece), scratch, run);
      });
    } else {
      const std::int64_t columns = (extent_[0] + block_ - 1) / block_;
      const std::int64_t tall = tileHeight(columns), high = (extent_[1] + tall - 1) / tall;
      forEach(columns * high * extent_[2], run, [&](std::int64_t tile, const Scratch& scratch) {
        const std::int64_t y = tile / columns % high * tall;
        runTile({tile % columns * block_, y, tile / columns / high}, std::min(extent_[1], y + tall), scratch, run);
      });
    }
    RunReport report = report_;
    report.saturated = {run.saturated.load()};
    report.phases.kernel = report.phases.total = clock.seconds();
    return report;
  }

  bool adopt(const Workload& workload, const Control&) override {
    const auto* next = workloadIf<FormulaWorkload>(workload);
    if (next == nullptr || !workload_.sameShape(*next)) return false;
    workload_ = *next;
    takeUniforms();
    return true;
  }

  [[nodiscard]] std::int64_t scratchBytes() const override { return scratchBytes_; }
  [[nodiscard]] std::string description() const override {
    return std::to_string(code_.instructions.size()) + " steps in " + std::to_string(code_.registers) +
           " registers of " + std::to_string(block_) + " values";
  }

 private:
  struct Run {
    std::span<const ConstArrayView> inputs;
    const ArrayView& output;
    const Control& control;
    bool streaming;
    std::atomic<std::int64_t> saturated;
  };

  // What a thread works with.
  struct Bench {
    std::vector<typename FormulaRowsOf<T>::Held> held;
    std::vector<const T*> slots;
    std::array<T, 2> place{};   // the voxel's y and z
    const T* result = nullptr;  // the register that the formula's value comes to
  };

  void takeUniforms() {
    const FormulaSetting& setting = workload_.setting();
    uniforms_.clear();
    for (const double value : uniformValues(program_, workload_.formula(), {{}, setting.volume, setting.spacing}))
      uniforms_.push_back(static_cast<T>(value));
  }

  void addRead(std::size_t r) {
    const FormulaRead& read = workload_.formula().reads()[r];
    const auto found = std::ranges::find_if(sources_, [&](const FormulaRowsOf<T>& source) {
      return source.input() == read.input && source.dz() == read.offset[2];
    });
    sourceOf_.push_back(static_cast<std::size_t>(found - sources_.begin()));
    if (found == sources_.end()) sources_.emplace_back(workload_, read.input, read.offset[2]);
  }

  void chooseBlock(int threads) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    const auto registers = static_cast<std::int64_t>(code_.registers);
    const std::int64_t bytes =
        std::clamp(kCacheBytes / std::max<std::int64_t>(registers, 1), kLeastBlockBytes, kBlockBytes);
    block_ = bytes / 64 * 64 / kSize;
    while (block_ > 64 && threadBytes(block_) > kScratchBudget / threads) block_ = (block_ / 2 + 63) / 64 * 64;
  }

  [[nodiscard]] std::int64_t threadBytes(std::int64_t block) const {
    std::int64_t bytes =
        64 + static_cast<std::int64_t>(code_.registers) * ScratchCarver::paddedBytes<T>(block + lanes_);
    for (const auto& source : sources_) bytes += source.scratchBytes(block, lanes_);
    return bytes;
  }

  // Rows are converted once for a tile, so that tall ones do less; short ones give all threads something to do.
  [[nodiscard]] std::int64_t tileHeight(std::int64_t columns) const {
    const std::int64_t rows = extent_[1] * extent_[2] * columns / (4 * threads_);
    return std::clamp<std::int64_t>(rows, 8, kTallestTile);
  }

  Bench bench(const Scratch& scratch) const {
    Bench bench;
    ScratchCarver carver(scratch);
    for (const auto& source : sources_) bench.held.push_back(source.hold(carver, block_, lanes_, kTallestTile));
    bench.slots.resize(code_.slots());
    for (std::size_t u = 0; u < uniforms_.size(); ++u) bench.slots[code_.firstUniform() + u] = &uniforms_[u];
    for (std::size_t r = 0; r < code_.registers; ++r)
      bench.slots[code_.firstRegister() + r] = carver.take<T>(block_ + lanes_);
    bench.result = bench.slots[code_.result];
    return bench;
  }

  template <class Work>
  void forEach(std::int64_t tiles, Run& run, Work&& work) {
    std::atomic<std::int64_t> done{0}, told{-1};
    arena_.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::int64_t>(0, tiles, 1),
          [&](const tbb::blocked_range<std::int64_t>& range) {
            const auto slot = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
            for (std::int64_t tile = range.begin(); tile != range.end(); ++tile) {
              work(tile, scratch_[slot]);
              if (run.streaming) finishStreaming_();
              const std::int64_t percent = ++done * 100 / tiles;
              std::int64_t last = told.load();
              if (percent > last && told.compare_exchange_strong(last, percent))
                run.control.report(static_cast<double>(percent) / 100, "computing");
            }
          },
          tbb::simple_partitioner());
    });
  }

  // A column of blocks: from `begin` to row `endY`.
  void runTile(const std::array<std::int64_t, 3>& begin, std::int64_t endY, const Scratch& scratch, Run& run) const {
    Bench bench = this->bench(scratch);
    const Box& region = workload_.setting().region;
    bench.slots[code_.firstPosition()] = &bench.place[0];
    bench.slots[code_.firstPosition() + 1] = &bench.place[1];
    bench.place[1] = static_cast<T>(region.begin[2] + begin[2]);
    const std::int64_t count = std::min(block_, extent_[0] - begin[0]);
    std::int64_t saturated = 0;
    for (std::int64_t y = begin[1]; y < endY; ++y) {
      run.control.check();
      const typename FormulaRowsOf<T>::Block block{begin[0], count, lanes_, y, begin[2], begin[1]};
      for (std::size_t s = 0; s < sources_.size(); ++s)
        sources_[s].fetch(run.inputs[sources_[s].input()], kernels_, block, bench.held[s]);
      const auto& reads = workload_.formula().reads();
      for (std::size_t r = 0; r < reads.size(); ++r)
        bench.slots[r] = sources_[sourceOf_[r]].at(reads[r], block, bench.held[sourceOf_[r]]);
      bench.place[0] = static_cast<T>(region.begin[1] + y);
      const StoreJob job = storeJob(bench, {begin[0], y, begin[2]}, count, run);
      saturated += computeAndStore(bench, begin[0], job, run);
    }
    run.saturated += saturated;
  }

  // Values of dense arrays one after the other, across rows.
  void runPiece(std::int64_t begin, std::int64_t end, const Scratch& scratch, Run& run) const {
    Bench bench = this->bench(scratch);
    std::int64_t saturated = 0;
    const std::int64_t zero = 0;
    for (std::int64_t at = begin; at < end; at += block_) {
      run.control.check();
      const std::int64_t count = std::min(block_, end - at);
      for (std::size_t r = 0; r < sourceOf_.size(); ++r) {
        const ConstArrayView& array = run.inputs[workload_.formula().reads()[r].input];
        if (array.type == ElementTypeOf<T>::value && at + count + lanes_ <= array.elements()) {
          bench.slots[r] = array.template as<T>() + at;
          continue;
        }
        T* const buffer = bench.held[sourceOf_[r]].buffers[0];
        PackJob job;
        job.source = array.data;
        job.sourceStride = {1, 0, 0};
        job.sourceIndex = {&at, &zero, &zero};
        job.extent = {count, 1, 1};
        job.interiorEnd = count;
        job.tile = buffer;
        job.tileRow = (count + lanes_ - 1) / lanes_ * lanes_;
        kernels_.pack[static_cast<std::size_t>(array.type)](job);
        bench.slots[r] = buffer;
      }
      StoreJob job;
      job.tile = bench.result;
      job.target = run.output.data + at * static_cast<std::int64_t>(bytesOf(run.output.type));
      job.targetStride = {1, 0, 0};
      job.extent = {count, 1, 1};
      job.streaming = run.streaming;
      saturated += computeAndStore(bench, at, job, run);
    }
    run.saturated += saturated;
  }

  std::int64_t computeAndStore(Bench& bench, std::int64_t firstValue, const StoreJob& job, const Run& run) const {
    // Whole vectors go straight to where they belong.
    const bool direct = run.output.type == ElementTypeOf<T>::value && !job.streaming && job.components == 1 &&
                        job.targetStride[0] == 1 && job.extent[0] % lanes_ == 0;
    bench.slots[code_.result] = direct ? reinterpret_cast<const T*>(job.target) : bench.result;
    FormulaBlock<T> block;
    block.code = code_.instructions;
    block.links = code_.links;
    block.slots = bench.slots.data();
    block.count = job.extent[0];
    block.firstValue = firstValue;
    block.components = workload_.components();
    block.firstVoxel = workload_.setting().region.begin[0];
    formulaKernels_.run<T>(block);
    return direct ? 0 : kernels_.store[static_cast<std::size_t>(run.output.type)](job);
  }

  StoreJob storeJob(const Bench& bench, const std::array<std::int64_t, 3>& at, std::int64_t count,
                    const Run& run) const {
    const ArrayView& output = run.output;
    StoreJob job;
    job.tile = bench.result;
    job.targetStride = {output.stride[0], output.stride[1], output.stride[2]};
    job.extent = {count, 1, 1};
    job.streaming = run.streaming;
    std::int64_t first = at[0] * output.stride[0];
    if (const std::int64_t components = workload_.components(); components > 1) {
      first = 0;
      if (output.stride[0] == components && output.stride[3] == 1) {
        job.targetStride[0] = 1;
        first = at[0];
      } else {
        job.components = components;
        job.componentStride = output.stride[3];
        job.firstValue = at[0];
      }
    }
    const std::int64_t offset = first + at[1] * output.stride[1] + at[2] * output.stride[2];
    job.target = output.data + offset * static_cast<std::int64_t>(bytesOf(output.type));
    return job;
  }

  FormulaWorkload workload_;
  const PrecisionKernels<T>& kernels_;
  void (*finishStreaming_)();
  const FormulaKernels& formulaKernels_;
  FormulaProgram program_;
  FormulaCode code_;
  std::int64_t lanes_;
  std::vector<T> uniforms_;
  std::array<std::int64_t, 3> extent_{};  // of the region, in values along x
  bool flat_ = false;                     // neither neighbors nor positions: rows need not be told apart
  std::vector<FormulaRowsOf<T>> sources_;
  std::vector<std::size_t> sourceOf_;  // of each read
  std::int64_t block_ = 64;
  int threads_ = 1;
  std::vector<Scratch> scratch_;  // per thread
  std::int64_t scratchBytes_ = 0;
  tbb::task_arena arena_;
  RunReport report_;
};

// Rows of the region cut into blocks that stay in the first-level cache from step to step.
std::unique_ptr<Plan> prepareFormula(const EngineInfo& engine, const KernelTable& kernels,
                                     const FormulaWorkload& workload, const PrepareOptions& options) {
  const int threads = threadCount(options.threads);
  if (workload.precision() == Precision::f32)
    return std::make_unique<FormulaPlan<float>>(engine, kernels, workload, threads);
  return std::make_unique<FormulaPlan<double>>(engine, kernels, workload, threads);
}

// Expected seconds of a run of that plan.
double predictFormula(const EngineInfo& engine, const FormulaWorkload& workload, const PrepareOptions& options) {
  const CostModel model(engine, workload.precision(), threadCount(options.threads), options.ceilings);
  const Work work = workload.work();
  MethodWork method;
  // A step is a pass through the first-level cache, which takes as long as several multiply-adds in registers.
  constexpr double kPerOperation = 3;
  method.multiplyAdds = kPerOperation * work.operations;
  return model.seconds(method, work.bytes);
}

}  // namespace

void addFormulaRows(VariantTable& variants) {
  Variant row;
  row.workload = "formula";
  row.name = "rows";
  row.kind = EngineKind::Cpu;
  row.source = "Stencilscope";
  row.unsupported = unsupportedFor<FormulaWorkload>();
  row.prepare = prepareFor<CpuEngine, FormulaWorkload>(
      [](CpuEngine& engine, const FormulaWorkload& workload, const PrepareOptions& options, const Control&) {
        return prepareFormula(engine.info(), engine.kernels(), workload, options);
      });
  row.predict = predictFor<CpuEngine, FormulaWorkload>(
      [](const CpuEngine& engine, const FormulaWorkload& workload, const PrepareOptions& options) {
        return predictFormula(engine.info(), workload, options);
      });
  variants.add(std::move(row));
}

}  // namespace sscope::cpu
