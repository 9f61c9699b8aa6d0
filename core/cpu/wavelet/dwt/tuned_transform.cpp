// The tuned rung of the wavelet transform: the passes of a level are fused on tiles that stay in a core's cache.

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>

#include "core/base/memory.h"
#include "core/cpu/run/scratch.h"
#include "core/cpu/wavelet/dwt/dwt_transform.h"
#include "core/cpu/wavelet/dwt/level_tile.h"

namespace sscope::cpu {

namespace {

template <class T>
class TunedTransform final : public DwtTransform {
 public:
  TunedTransform(const DwtWorkload& workload, const DwtKernels<T>& kernels, int threads)
      : pyramid_(workload.pyramid()),
        filter_(polyphaseOf(workload.wavelet(), workload.forward()), kernels),
        present_{workload.input().extent[0], workload.input().extent[1], workload.input().extent[2]} {
    for (int level = 0; level < pyramid_.levels; ++level)
      tilings_.emplace_back(pyramid_.extentAt(level), pyramid_.axes, filter_.phases, threads,
                            tileLimits(threads).cacheBytes, sizeof(T));
    std::int64_t scratch = 64, averages = 0;
    for (const LevelTiling& tiling : tilings_) scratch = std::max(scratch, tiling.scratchElements() * bytesOf_);
    for (int level = 1; level < pyramid_.levels; ++level)
      averages += averagesStride(level)[2] * pyramid_.extentAt(level)[2];
    scratchBytes_ = scratch * threads + averages * bytesOf_;
    requireMemory(scratchBytes_);
    for (int t = 0; t < threads; ++t) scratch_.emplace_back(scratch);
    averages_.resize(static_cast<std::size_t>(averages));
  }

  void run(const ConstArrayView& input, const ArrayView& output, tbb::task_arena& arena, const Control& control,
           RunTrace* trace) override {
    double done = 0, all = 0;
    for (int level = 0; level < pyramid_.levels; ++level) all += elements(level);
    for (int step = 0; step < pyramid_.levels; ++step) {
      const int level = filter_.phases.forward ? step : pyramid_.levels - 1 - step;
      const LevelTiling& tiling = tilings_[static_cast<std::size_t>(level)];
      const LevelTile<T> tile{tiling, filter_, source(level, input), target(level, output), control};
      recordStep(trace, "level " + std::to_string(level + 1), [&] { runLevel(tile, tiling.tiles(), arena, control); });
      done += elements(level);
      control.report(done / all, "transforming");
    }
  }

  [[nodiscard]] std::int64_t scratchBytes() const override { return scratchBytes_; }
  [[nodiscard]] std::string description() const override {
    return tilings_[0].description() + "; " + std::to_string(scratchBytes_ >> 10) + " KiB";
  }

 private:
  void runLevel(const LevelTile<T>& tile, std::int64_t tiles, tbb::task_arena& arena, const Control& control) {
    arena.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::int64_t>(0, tiles, 1),
          [&](const tbb::blocked_range<std::int64_t>& range) {
            const auto slot = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
            for (std::int64_t i = range.begin(); i != range.end(); ++i) {
              control.check();
              tile.run(i, scratch_[slot]);
            }
          },
          tbb::simple_partitioner());
    });
  }

  // Outputs that would evict everything else from the caches are stored with non-temporal stores.
  static constexpr std::int64_t kStreamingBytes = 16 << 20;
  static constexpr auto bytesOf_ = static_cast<std::int64_t>(sizeof(T));

  [[nodiscard]] double elements(int level) const {
    const Index3 n = pyramid_.extentAt(level);
    return static_cast<double>(n[0] * n[1] * n[2]);
  }
  // Averages between two levels have arrays of their own.
  [[nodiscard]] Index3 averagesStride(int level) const {
    const Index3 n = pyramid_.extentAt(level);
    const std::int64_t row = rowStride<T>(n[0]);
    return {1, row, row * n[1]};
  }
  [[nodiscard]] StridedPlace<T*> averages(int level) {
    T* data = averages_.data();
    for (int l = 1; l < level; ++l) data += averagesStride(l)[2] * pyramid_.extentAt(l)[2];
    return {data, averagesStride(level), false};
  }

  LevelData<const T*> source(int level, const ConstArrayView& input) {
    const StridedPlace<const T*> given{input.as<T>(), {input.stride[0], input.stride[1], input.stride[2]}, false};
    LevelData<const T*> data{given, given, pyramid_.extentAt(level), present_};
    if (filter_.phases.forward) {
      if (level > 0) {
        const StridedPlace<T*> from = averages(level);
        data.inner = {from.data, from.stride, false};
        data.present = pyramid_.extentAt(level);
      }
      return data;
    }
    data.corner = data.present = pyramid_.extentAt(level + 1);
    if (level + 1 < pyramid_.levels) {
      const StridedPlace<T*> from = averages(level + 1);
      data.inner = {from.data, from.stride, false};
    }
    return data;
  }

  LevelData<T*> target(int level, const ArrayView& output) {
    const StridedPlace<T*> given{output.as<T>(),
                                 {output.stride[0], output.stride[1], output.stride[2]},
                                 output.elements() * bytesOf_ > kStreamingBytes};
    LevelData<T*> data{given, given, pyramid_.extentAt(level), pyramid_.extentAt(level)};
    if (!filter_.phases.forward) {
      if (level > 0) data.inner = averages(level);
      return data;
    }
    data.corner = data.present = pyramid_.extentAt(level + 1);
    if (level + 1 < pyramid_.levels) data.inner = averages(level + 1);
    return data;
  }

  Pyramid pyramid_;
  LevelFilter<T> filter_;
  Index3 present_;
  std::vector<LevelTiling> tilings_;
  std::vector<Scratch> scratch_;  // per thread
  std::vector<T> averages_;       // of the levels between the first and the last
  std::int64_t scratchBytes_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<DwtTransform> tunedDwt(const DwtWorkload& workload, const DwtKernels<T>& kernels, int threads) {
  return std::make_unique<TunedTransform<T>>(workload, kernels, threads);
}
template std::unique_ptr<DwtTransform> tunedDwt<float>(const DwtWorkload&, const DwtKernels<float>&, int);
template std::unique_ptr<DwtTransform> tunedDwt<double>(const DwtWorkload&, const DwtKernels<double>&, int);

}  // namespace sscope::cpu
