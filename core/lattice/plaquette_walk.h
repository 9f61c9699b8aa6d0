#pragma once
// Visits the plaquettes of a gauge field on all cores: each is computed once and used by the sites ahead of it while it
// is in the cache.
//
// Each tile of the lattice is processed slice by slice in time. The plaquettes of the current and the previous slice
// stay in the second-level cache; those at the tile's borders are computed by both sides. So links are read once.

#include <tbb/enumerable_thread_specific.h>

#include <cstdint>
#include <functional>

#include "core/base/control.h"
#include "core/lattice/link_blocks.h"
#include "core/lattice/link_kernels.h"

namespace sscope::cpu {

class PlaquetteWalk {
 public:
  PlaquetteWalk() = default;
  explicit PlaquetteWalk(const BlockShape& shape);

  using Kernel = void (*)(const PlaquetteRow& row);
  using Visit = std::function<void(std::int64_t row, const NeighborRows& neighbors)>;
  // Calls visit once for every row of sites, in no particular order, on many threads. Checks for cancellation at every
  // row. Throws Canceled, with some rows not visited, and Error(Memory).
  void run(const LinkBlocks& links, Kernel kernel, const Control& control, const Visit& visit);

 private:
  // Sites of one tile: all of x, and ranges of y, z and t.
  struct Tile {
    int begin[4] = {}, end[4] = {};
  };
  struct Task;
  void walk(const Task& task, const Tile& tile);

  BlockShape shape_;
  int tile_[4] = {1, 1, 1, 1};                                  // sites
  tbb::enumerable_thread_specific<AlignedDoubles> plaquettes_;  // of two slices of a tile
};

}  // namespace sscope::cpu
