#pragma once
// Entropies of one window.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/cpu/filter/entropy_kernels.h"
#include "core/cpu/filter/rank_tiles.h"
#include "core/filter/rank_window.h"

namespace sscope::cpu {

// A tile is packed as for order statistics, its keys become numbers of bins, and a histogram moves along each row of
// outputs.
template <class Key>
class EntropyStep final : public TileStep {
 public:
  EntropyStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order, const KernelTable& kernels,
              const TileLimits& limits);

  [[nodiscard]] std::int64_t tiles() const override { return tiles_.count(); }
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override { return 2 * static_cast<double>(lines_.size()) * tiles_.outputs(); }
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& /*workload*/) override { return true; }  // has none
  void runTile(std::int64_t number, const Scratch& scratch, const TileRun& run) const override;

 private:
  using Tile = typename RankTiles<Key>::Tile;
  using Layout = typename RankTiles<Key>::Layout;
  struct Line {
    std::array<std::int64_t, 3> begin{};  // in tile axes, in values along x
    std::int64_t length = 0;              // in values
  };

  std::size_t output_;
  std::int64_t members_, bins_;
  const KernelTable& kernels_;
  const EntropyKernels& entropy_;
  std::vector<Line> lines_;
  std::vector<Key> thresholds_;
  std::vector<std::int64_t> steps_;
  std::int64_t total_ = 0;
  RankTiles<Key> tiles_;
};

}  // namespace sscope::cpu
