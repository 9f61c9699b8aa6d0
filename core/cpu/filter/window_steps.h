#pragma once
// Steps of filters that are no sums of products: order statistics and entropies of windows.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/cpu/filter/rank_tiles.h"
#include "core/cpu/filter/window_kernels.h"
#include "core/filter/entropy_window.h"
#include "core/filter/method/method.h"

namespace sscope::cpu {

// Order statistics of one window, whatever the rank.

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

// Minima and maxima of one window, from those of lines.

// A box: along one axis after the other, in place, at a cost that hardly depends on its size. Any other window: the
// lines along x that it consists of, those of one length together. Minima are maxima in the opposite order.
template <class Key>
class LinesStep final : public TileStep {
 public:
  LinesStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order, const KernelTable& kernels,
            const TileLimits& limits);

  [[nodiscard]] std::int64_t tiles() const override { return tiles_.count(); }
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override { return operations_ * tiles_.outputs(); }
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& /*workload*/) override { return true; }  // has none
  void runTile(std::int64_t number, const Scratch& scratch, const TileRun& run) const override;

 private:
  using Tile = typename RankTiles<Key>::Tile;
  using Layout = typename RankTiles<Key>::Layout;
  // Lines of one length begin at these places of the window.
  struct Lines {
    std::int64_t length = 1;
    std::vector<std::array<std::int64_t, 3>> begins;
  };

  void passes(const Tile& tile, const Layout& layout, Key* keys, const TileRun& run) const;
  // The tile's rows with every key replaced by the largest of a line that begins there; `to` may be `from`.
  void alongX(const Tile& tile, const Layout& layout, std::int64_t length, const Key* from, Key* to,
              const TileRun& run) const;
  void add(const Tile& tile, const Layout& layout, const Lines& lines, const Key* in, Key* out, std::int64_t* offset,
           const TileRun& run) const;
  // Keys that alongX reads behind a tile.
  [[nodiscard]] std::int64_t slack() const { return tiles_.space().hull()[0]; }

  std::size_t output_;
  RankTiles<Key> tiles_;
  std::array<std::int64_t, 3> size_;  // of the box around the window, in tile axes
  std::vector<Lines> lines_;          // of windows that are not boxes
  std::int64_t mostBegins_ = 0;
  double operations_ = 1;  // of a vector of outputs
};

// Entropies of one window.

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
