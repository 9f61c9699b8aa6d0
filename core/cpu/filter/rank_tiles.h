#pragma once
// Tiles of keys: the input of an order statistic packed in the type in which it is compared, and results stored.

#include <array>
#include <cstdint>

#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/filter/window_kernels.h"
#include "core/cpu/run/kernel_table.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

// What a plan's tiles have in common: keys as wide as Key. Components of a voxel lie side by side.
template <class Key>
class RankTiles {
 public:
  // Strides and sizes in keys. Each row is whole vectors of outputs and the window's reach; there is one row more than
  // the outputs need.
  struct Layout {
    std::int64_t width = 0;  // outputs of a row, a multiple of the lanes
    std::int64_t row = 0, plane = 0, packed = 0;
    std::int64_t outRow = 0, outPlane = 0, outPacked = 0;
  };
  // One tile, in outputs.
  struct Tile {
    std::int64_t component = 0;
    std::array<std::int64_t, 3> begin{}, size{};
  };

  // Keys are compared as elements of FilterWorkload::orderedAs(); `reversed`: the largest first.
  RankTiles(const FilterWorkload& workload, std::size_t filter, bool reversed, const AxisOrder& order,
            const KernelTable& kernels);
  // Chooses the tile whose packing and searching, of `searching` operations for each output, takes the shortest;
  // `copies` of a packed tile are held at once.
  void choose(const TileLimits& limits, double searching, int copies);

  [[nodiscard]] const TileSpace& space() const { return space_; }
  [[nodiscard]] const RankKernels<Key>& kernels() const { return ranks_; }
  [[nodiscard]] ElementType as() const { return as_; }
  [[nodiscard]] std::int64_t count() const;
  [[nodiscard]] Tile at(std::int64_t number) const;
  [[nodiscard]] Layout layout(const std::array<std::int64_t, 3>& size) const;
  [[nodiscard]] Layout largest() const { return layout(tile_); }
  [[nodiscard]] const std::array<std::int64_t, 3>& size() const { return tile_; }
  [[nodiscard]] double outputs() const;
  [[nodiscard]] std::string tileText() const;

  // Of one row in other types, see store().
  [[nodiscard]] std::int64_t numberBytes() const { return ScratchCarver::paddedBytes<double>(largest().width); }

  // The tile's input as keys. True: there is a NaN among them.
  bool pack(const Tile& tile, const Layout& layout, const ConstArrayView& input, Key* keys) const;
  // Row (y, z) of the tile's outputs, which `keys` does not hold any more then. `numbers`: numberBytes().
  void store(const Tile& tile, std::int64_t y, std::int64_t z, Key* keys, void* numbers, const TileRun& run,
             std::size_t output) const;

 private:
  bool reversed_;
  ElementType as_;
  TileSpace space_;
  const KernelTable& kernels_;
  const RankKernels<Key>& ranks_;
  std::array<std::int64_t, 3> tile_{1, 1, 1}, tiles_{1, 1, 1};
};

// f(Key{}) with the type of keys for elements of this type.
template <class F>
decltype(auto) withRankKey(ElementType as, F&& f) {
  switch (bytesOf(as)) {
    case 1: return f(std::int8_t{});
    case 2: return f(std::int16_t{});
    case 4: return f(std::int32_t{});
    default: return f(std::int64_t{});
  }
}

}  // namespace sscope::cpu
