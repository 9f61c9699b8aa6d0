#pragma once
// Order statistics of one window.

#include <array>
#include <string>
#include <vector>

#include "core/cpu/filter/rank_kernels.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

// A tile is packed as for sums, its numbers become keys, and rows of outputs are found in it.
template <class T>
class RankStep final : public TileStep {
 public:
  enum class Search : std::uint8_t { Selection, Bisection };
  // Selection is for medians of at most kMostSelected values.
  RankStep(const FilterWorkload& workload, std::size_t filter, Search search, const AxisOrder& order,
           const PrecisionKernels<T>& kernels, const TileLimits& limits);

  [[nodiscard]] std::int64_t tiles() const override;
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& /*workload*/) override { return true; }  // has none
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  struct Layout {
    std::int64_t row = 0, plane = 0, packed = 0;  // strides and size in elements
    std::int64_t outRow = 0;
  };
  [[nodiscard]] Layout layout(const std::array<std::int64_t, 3>& tile) const;
  [[nodiscard]] std::array<std::int64_t, 3> chooseTile(const TileLimits& limits) const;

  std::size_t output_;
  Search search_;
  TileSpace space_;
  const PrecisionKernels<T>& kernels_;
  const RankKernels<T>& ranks_;
  std::vector<std::array<std::int64_t, 3>> members_;  // in tile axes
  std::int64_t rank_;
  std::array<std::int64_t, 3> tile_{}, count_{};  // outputs, tiles per axis
};

}  // namespace sscope::cpu
