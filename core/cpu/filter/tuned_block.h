#pragma once
// Machine code for blocks of outputs along x or z, for the tuned rungs: as GeneratedBlock, for several filters at once,
// with the strides of the packed input as constants; it stores straight into the outputs and copies the next input rows
// during the multiply-adds of this row.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/cpu/run/kernel_table.h"

namespace sscope::cpu {

struct TunedShape {
  std::int64_t kx = 1, ky = 1, kz = 1;              // taps
  std::int64_t tapDistance = 1;                     // along x, in elements
  std::int64_t filters = 1, rows = 1, vectors = 1;  // of a block; their product is the number of sums
  std::int64_t inRow = 0, inPlane = 0;              // strides of the packed input in bytes
  bool fetchNext = false;   // fetch the next block's input from the second-level cache, a line of each row per column
  bool fetchPlane = false;  // fetch the plane that the block one plane further also needs; not with fetchNext
  bool operator==(const TunedShape&) const = default;
};

class TunedBlock {
 public:
  static constexpr std::int64_t kMostFilters = 4;

  struct Arguments {
    const void* in = nullptr;                    // of the first block's first output row
    const void* taps = nullptr;                  // y fastest, then filters, x, z
    std::array<std::byte*, kMostFilters> out{};  // per filter, of the first block
    std::int64_t outRow = 0;                     // bytes
    std::int64_t blocks = 1;                     // in a row
    std::int64_t inStep = 0, outStep = 0;        // bytes from block to block
    // With `copy`: `rows` rows of input, block by block, to `copyTo`, which has in's row stride.
    const void* copyFrom = nullptr;
    std::int64_t copyFromRow = 0;  // bytes; also between the lines that are fetched
    void* copyTo = nullptr;
    const void* fetch = nullptr;  // input rows that the next call copies
  };
  using Function = void (*)(Arguments*);

  // Null if code cannot be generated (GeneratedBlock::make) or the sums and inputs exceed the registers.
  template <class T>
  [[nodiscard]] static std::shared_ptr<const TunedBlock> make(SimdLevel level, const TunedShape& shape);

  virtual ~TunedBlock() = default;
  [[nodiscard]] const TunedShape& shape() const { return shape_; }
  [[nodiscard]] std::int64_t width() const { return width_; }  // outputs of a block along x
  // streaming: non-temporal stores, which must be aligned to a register. The function modifies its arguments.
  [[nodiscard]] Function function(bool streaming, bool copy) const { return functions_[streaming][copy]; }

 protected:
  TunedShape shape_;
  std::int64_t width_ = 0;
  Function functions_[2][2] = {};
};

// The largest block whose sums, inputs and taps fit into the registers, for `filters` filters at once.
[[nodiscard]] TunedShape tunedTile(SimdLevel level, std::int64_t filters);
// The maximum number of filters per block.
[[nodiscard]] std::int64_t tunedFilters(SimdLevel level);

}  // namespace sscope::cpu
