#pragma once
// Minima and maxima of one window, from those of lines.

#include <array>
#include <string>
#include <vector>

#include "core/cpu/filter/rank_tiles.h"

namespace sscope::cpu {

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

}  // namespace sscope::cpu
