#pragma once
// Several dense kernels of one size at once: the tuned rung of bank.

#include <array>
#include <memory>
#include <vector>

#include "core/cpu/filter/correlator.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/filter/tuned_block.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

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

}  // namespace sscope::cpu
