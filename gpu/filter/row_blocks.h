#pragma once
// The division of rows into blocks of outputs, one per work item, and what each block loads.

#include <algorithm>
#include <cstdint>

namespace sscope {

struct RowBlocks {
  std::int64_t vector = 1;  // elements of a load
  std::int64_t tx = 1;      // outputs of a block, a multiple of `vector`
  std::int64_t left = 0;    // elements loaded before the first tap, so that loads begin at whole vectors
  std::int64_t loads = 1;   // vectors of a row
  bool aligned = true;      // rows begin at whole vectors
  std::int64_t blocks = 1;  // of a row
  // The blocks whose loads and outputs are all inside the row.
  std::int64_t begin = 0, end = 0;
};

// For rows of `width` elements without padding, and taps of `size` with `anchor` along x.
[[nodiscard]] inline RowBlocks blocksOf(std::int64_t width, std::int64_t size, std::int64_t anchor, std::int64_t vector,
                                        std::int64_t tx) {
  RowBlocks b;
  b.vector = vector;
  b.tx = tx;
  b.aligned = width % vector == 0;
  b.left = b.aligned ? (vector - anchor % vector) % vector : 0;
  b.loads = (b.left + tx + size - 1 + vector - 1) / vector;
  b.blocks = (width + tx - 1) / tx;
  const std::int64_t reach = anchor + b.left;
  b.begin = std::min(b.blocks, (reach + tx - 1) / tx);
  const std::int64_t last = std::min(width - tx, width + reach - b.loads * vector);  // largest x of a block inside
  b.end = last < 0 ? b.begin : std::clamp(last / tx + 1, b.begin, b.blocks);
  return b;
}

}  // namespace sscope
