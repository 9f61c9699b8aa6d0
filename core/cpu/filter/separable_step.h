#pragma once
// Separable filters in tiles, and dense ones as sums of few separable terms.

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/cpu/filter/separable_passes.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

// Filters that are sums of separable terms, as passes along y, z and x.

// A tile is a column of the volume that is walked along z: each input plane is packed and summed along y once,
// the last planes are kept, summed along z and then along x. Only y and x need halos that are computed twice. Several
// filters share what is packed and the passes that are alike; the bits of each are those that it has alone.
template <class T>
class SeparableStep final : public TileStep {
 public:
  // `store`: null for one that only converts; an ExactRounding only in single precision.
  SeparableStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                const PrecisionKernels<T>& kernels, const TileLimits& limits,
                std::unique_ptr<PlaneStore> store = nullptr);
  // `stores`: one for each filter.
  SeparableStep(const FilterWorkload& workload, const std::vector<std::size_t>& filters, const AxisOrder& order,
                const PrecisionKernels<T>& kernels, const TileLimits& limits,
                std::vector<std::unique_ptr<PlaneStore>> stores);
  // What such a step would cost, to be compared with others over the same data.
  [[nodiscard]] static double predict(const FilterWorkload& workload, const std::vector<std::size_t>& filters,
                                      const AxisOrder& order, const PrecisionKernels<T>& kernels,
                                      const TileLimits& limits);

  [[nodiscard]] std::int64_t tiles() const override;
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& workload) override;
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  struct Memory {
    T *packed, *kept, *summed, *result, *buffer, *prefix;
  };
  struct Column {
    std::array<std::int64_t, 3> begin{}, size{};
    std::int64_t component = 0;
    ColumnLayout layout;
    Memory memory;
  };
  [[nodiscard]] T* sumsOf(const Column& column, std::size_t pass) const;
  void addPlane(const Column& column, std::int64_t plane, std::int64_t slot, const TileRun& run) const;
  void runStream(const Column& column, const TileRun& run) const;
  // `plane`: the output's number in the chunk; negative where what was summed along z is no more.
  void storePlane(const Column& column, std::size_t f, std::int64_t z, std::int64_t plane,
                  std::span<const T* const> sums, const TileRun& run) const;
  void finishChunk(const Column& column, std::int64_t z, std::int64_t planes, const TileRun& run) const;
  void sumColumns(const Column& column, const AxisPass<T>& axis, const Correlation<T>& job, const TileRun& run) const;
  void sumRows(const Column& column, const AxisPass<T>& axis, std::size_t a, std::int64_t first,
               const Correlation<T>& job, const TileRun& run) const;
  void sumAlongX(const Column& column, const typename SeparablePasses<T>::Filter& filter,
                 std::span<const T* const> sums, const TileRun& run) const;

  TileSpace space_;
  const PrecisionKernels<T>& kernels_;
  SeparablePasses<T> passes_;
  SeparableTiles<T> tiling_;
  std::vector<std::unique_ptr<PlaneStore>> stores_;  // of each filter
  ColumnShape shape_;
  std::array<std::int64_t, 3> count_{};
};

// One dense filter as a sum of few separable terms (core/filter/low_rank.h).

template <class T>
class LowRankStep final : public TileStep {
 public:
  LowRankStep(const FilterWorkload& workload, std::size_t filter, const PrecisionKernels<T>& kernels,
              const TileLimits& limits);

  [[nodiscard]] std::int64_t tiles() const override { return passes_->tiles(); }
  [[nodiscard]] std::int64_t scratchBytes() const override { return passes_->scratchBytes(); }
  [[nodiscard]] double work() const override { return passes_->work(); }
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& workload) override;
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override {
    passes_->runTile(tile, scratch, run);
  }

 private:
  std::size_t filter_;
  std::size_t terms_;
  std::unique_ptr<SeparableStep<T>> passes_;
};

}  // namespace sscope::cpu
