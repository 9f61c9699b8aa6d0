#pragma once
// The division of a run along z so that it fits into the device's memory.

#include <span>
#include <vector>

#include "gpu/filter/step.h"

namespace sscope {

struct Tiling {
  std::int64_t slicesPerTile = 1;
  std::int64_t tiles = 1;
  SlotBytes bytes;     // maximum over all tiles
  SlotBytes resident;  // the same with the whole input, which can then stay on the device; empty if that does not fit
  // Slabs for copies beside kernels, with the whole input on the device; 0 and empty if there are none.
  std::int64_t slicesPerSlab = 0;
  SlotBytes slabs;
};

// Bytes of each slot for tiles of so many output slices; with `resident` kInput holds the whole input.
[[nodiscard]] SlotBytes tileBytes(const FilterContext& context, std::span<const std::unique_ptr<FilterStep>> steps,
                                  std::int64_t slicesPerTile, bool resident);

// The fewest tiles that fit into `budget` bytes with buffers no larger than the device allows. On a processor, whose
// device memory is the host's, tiles take at most tens of MiB unless they become too thin; elsewhere slabs are chosen
// as well, if the arrays are large enough for it and the input fits. Throws Error(Memory) if a single slice does not
// fit.
[[nodiscard]] Tiling chooseTiling(const FilterContext& context, std::span<const std::unique_ptr<FilterStep>> steps,
                                  std::int64_t budget);

// The tile that begins at output slice `begin`; with `resident` it refers to the whole input.
[[nodiscard]] FilterTile tileAt(const FilterContext& context, std::span<const std::unique_ptr<FilterStep>> steps,
                                std::int64_t begin, std::int64_t slicesPerTile, bool resident);

}  // namespace sscope
