#pragma once
// Steps of the ladders' tuned rungs.

#include <array>
#include <memory>
#include <vector>

#include "core/cpu/filter/correlator.h"
#include "core/cpu/filter/soup_kernels.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/filter/tuned_block.h"
#include "core/cpu/run/scratch.h"
#include "core/filter/workload/soup_workload.h"

namespace sscope::cpu {

// Several dense kernels of one size at once: the tuned rung of bank.

// Tiles of the volume are packed with their halo, converted once for all kernels. The kernels are taken in groups; a
// block of outputs holds sums for all kernels of a group, so that every loaded vector is used for all of them. Blocks
// advance along z, where each step loads only one new plane into the first-level cache, and all groups are computed for
// each block.
template <class T>
class BankStep final : public TileStep {
 public:
  // All filters must have the same size and anchor.
  BankStep(const FilterWorkload& workload, const PrecisionKernels<T>& kernels, const TileLimits& limits);

  [[nodiscard]] std::int64_t tiles() const override;
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override;
  [[nodiscard]] std::string description() const override;
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  struct Group {
    std::size_t first = 0;   // filter
    TunedShape tile;         // filters, rows, vectors
    std::vector<T> weights;  // y fastest, then filters, x, z
    std::shared_ptr<const TunedBlock> block;
  };
  struct Tile {
    std::array<std::int64_t, 3> begin{}, size{};
    std::int64_t component = 0;
    T *packed = nullptr, *result = nullptr;
  };
  using Extent = std::array<std::int64_t, 3>;
  void makeGroups(const FilterWorkload& workload);
  [[nodiscard]] Extent chooseTile(const TileLimits& limits) const;
  [[nodiscard]] double cost(const Extent& tile, const TileLimits& limits) const;
  void setStrides(const Extent& tile);
  [[nodiscard]] std::int64_t packedElements(const Extent& tile) const;
  [[nodiscard]] std::int64_t resultElements() const;
  void runColumn(const Group& group, const Tile& tile, std::int64_t x, std::int64_t y, const TileRun& run) const;
  void runCompiled(const Tile& tile, const TileRun& run) const;

  TileSpace space_;
  const PrecisionKernels<T>& kernels_;
  std::vector<Group> groups_;
  std::vector<std::vector<T>> weights_;  // per filter, y fastest, then x, z: for tiles smaller than a block
  Correlator<T> correlator_;
  Extent tile_{}, count_{};
  std::int64_t row_ = 0, plane_ = 0;  // strides of the packed tile in elements
};

// The tuned rung of soup: four rows of outputs at a time from interleaved rows of bytes, in integers.

// A tile is a strip, processed downward four rows at a time. A quad interleaves four input rows, so that one
// instruction sums four products down a column and a shift along x is a load from another address. Four output rows
// need two quads (eight rows); the lower quad is the upper one of the next four rows.
class SoupStep final : public TileStep {
 public:
  // Empty, or why it cannot run these taps.
  [[nodiscard]] static std::string restriction(const SoupWorkload& workload);
  SoupStep(const SoupWorkload& workload, SimdLevel level, const TileLimits& limits);

  [[nodiscard]] std::int64_t tiles() const override { return strips_ * chunks_; }
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override;
  [[nodiscard]] std::string description() const override;
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  struct Strip {
    PackJob job;                         // of all input rows
    std::vector<std::uint8_t> constant;  // a row outside
    std::uint8_t* rows = nullptr;        // four rows, where the input's are not plain
    std::uint8_t* results = nullptr;     // four rows, where the output's are not plain
  };
  void fillQuad(const Strip& strip, std::int64_t row, std::uint8_t* quad) const;
  void storeBand(const Strip& strip, const StoreJob& place, SoupBand band) const;
  [[nodiscard]] std::int64_t padded(std::int64_t width) const;

  TileSpace space_;
  const SoupKernels& kernels_;
  SoupTaps taps_;
  std::int64_t width_ = 0, height_ = 0, strips_ = 1, chunks_ = 1;
};

}  // namespace sscope::cpu
