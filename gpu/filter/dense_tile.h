#pragma once
// Taps for kernels: as numbers in the source, or as rows in a table.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/filter/workload/filter_workload.h"
#include "gpu/filter/context.h"
#include "gpu/filter/gathered_rows.h"
#include "gpu/filter/step.h"

namespace sscope {

// A list for BAKED_TAPS.
[[nodiscard]] std::string listOfTaps(std::span<const double> taps, Precision precision);
// The same of a box, x fastest.
[[nodiscard]] std::string bakedTaps(const DenseTaps& taps, Precision precision);

// The taps of filters first .. first + count - 1, all of one size: the filter fastest, then x; every row of taps is
// padded to whole vectors.
[[nodiscard]] std::vector<double> rowsOfTaps(const FilterWorkload& workload, std::size_t first, std::size_t count,
                                             std::int64_t vector);
// The same for one filter.
[[nodiscard]] std::vector<double> rowsOfTaps(const DenseTaps& taps, std::int64_t vector);

// The shapes of dense_tile.kernel: what a work item computes, and which part of its loops is unrolled.
struct DenseTile {
  int vector = 1;               // elements of a load, 16 bytes
  std::int64_t tx = 1, ty = 1;  // outputs of a work item, in numbers along a row and in rows
  Grid group;                   // of work items
  // Taps along x and y whose sums are one piece of unrolled code. Sums are in the order of the pieces, so these depend
  // on nothing but the size of the taps and the type of the arithmetic: a part of a result is the same bits.
  std::array<std::int64_t, 2> piece{1, 1};
  bool onePieceAlongZ = false;  // all slices of the taps are unrolled, too
  int leastGroups = 0;          // on a compute unit, a limit for CUDA's compiler; 0: the compiler decides

  [[nodiscard]] RowLayout rows() const { return {vector, {32, 4}, tx, ty}; }
};

// The shape for taps of this size; empty on processors, which have their own kernel, and where components are too far
// apart for a row to stay in registers.
[[nodiscard]] std::optional<DenseTile> denseTile(const FilterContext& context, const std::array<std::int64_t, 3>& size);

// Starts building its kernels; finish() must follow.
[[nodiscard]] std::unique_ptr<FilterStep> makeTiledDenseStep(const FilterContext& context, const FilterMethod& method,
                                                             const DenseTile& tile);

}  // namespace sscope
