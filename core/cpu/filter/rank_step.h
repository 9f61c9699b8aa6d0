#pragma once
// Order statistics of one window, whatever the rank.

#include <array>
#include <string>
#include <vector>

#include "core/cpu/filter/rank_tiles.h"
#include "core/filter/method/method.h"

namespace sscope::cpu {

// A tile is packed, its elements become keys, and rows of outputs are found in it.
template <class Key>
class RankStep final : public TileStep {
 public:
  // `method`: Selection, for medians of at most kMostSelected values; Merging, for windows of mergesRows(); Histogram,
  // for boxes of bytes; Bisection.
  RankStep(const FilterWorkload& workload, std::size_t filter, MethodKind method, const AxisOrder& order,
           const KernelTable& kernels, const TileLimits& limits);

  [[nodiscard]] std::int64_t tiles() const override { return tiles_.count(); }
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override { return static_cast<double>(members_.size()) * tiles_.outputs(); }
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& /*workload*/) override { return true; }  // has none
  void runTile(std::int64_t number, const Scratch& scratch, const TileRun& run) const override;

 private:
  using Tile = typename RankTiles<Key>::Tile;
  using Layout = typename RankTiles<Key>::Layout;

  // Plane z of the tile's outputs.
  void merge(const Tile& tile, const Layout& layout, const Key* in, Key* out) const;
  // All planes at once.
  void histogram(const Tile& tile, const Layout& layout, const Key* in, Key* out, std::uint16_t* counts,
                 const TileRun& run) const;
  void search(const Tile& tile, RankJob<Key> job, const Layout& layout, const Key* in, Key* out,
              const TileRun& run) const;
  // Where one of the window's values is NaN, the result is.
  void spreadNaN(const Tile& tile, RankJob<Key> job, const Layout& layout, const Key* in, Key* out, Key* row,
                 const TileRun& run) const;

  [[nodiscard]] std::int64_t countsHeld() const;

  std::size_t output_;
  MethodKind method_;
  std::array<std::int64_t, 3> size_;                  // of the window, in tile axes
  std::vector<std::array<std::int64_t, 3>> members_;  // in tile axes, in values along x
  std::int64_t rank_;
  RankTiles<Key> tiles_;
};

}  // namespace sscope::cpu
