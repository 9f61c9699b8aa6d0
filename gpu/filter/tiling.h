#pragma once
// How a run is cut along z so that it fits into the device's memory.

#include <span>
#include <vector>

#include "gpu/filter/step.h"

namespace sscope {

struct Tiling {
  std::int64_t slicesPerTile = 1;
  std::int64_t tiles = 1;
  SlotBytes bytes;     // what every tile needs at most
  SlotBytes resident;  // the same with the whole input, which may stay on the device then; empty where that is too much
};

// Bytes of each slot for tiles of so many output slices; with `resident` kInput holds the whole input.
[[nodiscard]] SlotBytes tileBytes(const FilterContext& context, std::span<const std::unique_ptr<FilterStep>> steps,
                                  std::int64_t slicesPerTile, bool resident);

// The fewest tiles that fit `budget` bytes in buffers no larger than the device allows; on a processor, whose device
// memory is the machine's, no more than tens of MiB where such tiles are not too thin. Throws Error(Memory) when one
// slice is too much.
[[nodiscard]] Tiling chooseTiling(const FilterContext& context, std::span<const std::unique_ptr<FilterStep>> steps,
                                  std::int64_t budget);

// The tile that begins at output slice `begin`; with `resident` it refers to the whole input.
[[nodiscard]] FilterTile tileAt(const FilterContext& context, std::span<const std::unique_ptr<FilterStep>> steps,
                                std::int64_t begin, std::int64_t slicesPerTile, bool resident);

}  // namespace sscope
