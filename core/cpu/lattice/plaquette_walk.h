#pragma once
// Walks the plaquettes of a gauge field on all cores: each is computed once and is seen by the sites ahead of it while
// it is in the cache.
//
// A tile of the lattice is walked through time. The plaquettes of its slice and of the one before are kept in the
// second-level cache, those along its seams are computed by both sides. So the links are read once.

#include <tbb/enumerable_thread_specific.h>

#include <cstdint>
#include <functional>

#include "core/base/control.h"
#include "core/cpu/lattice/link_blocks.h"
#include "core/cpu/lattice/link_kernels.h"

namespace sscope::cpu {

class PlaquetteWalk {
 public:
  PlaquetteWalk() = default;
  explicit PlaquetteWalk(const BlockShape& shape);

  using Kernel = void (*)(const PlaquetteRow& row);
  using Visit = std::function<void(std::int64_t row, const NeighborRows& neighbors)>;
  // Calls visit for every row of sites once, in no order, on many threads. A stop is looked for at every row of sites.
  // Throws Canceled; then some rows were not visited. Throws Error(Memory).
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
