#pragma once
// Planes of the outputs of a periodic workload, and the smaller periodic array in which they are computed.

#include <cstdint>
#include <optional>

#include "core/volume/array_view.h"
#include "core/workload/free_boundaries.h"

namespace sscope {

struct PeriodicPart {
  std::size_t axis = 2;
  std::int64_t begin = 0, end = 0;  // of the whole's planes
  std::int64_t whole = 0;           // planes of the whole, along this axis the same for input and output
  // An output reads the planes from `first` on, relative to its own, `taps` of them.
  std::int64_t first = 0, taps = 1;

  [[nodiscard]] std::int64_t count() const { return end - begin; }
  // Of the array in which it is computed: what the part reads, but no more than there is.
  [[nodiscard]] std::int64_t period() const;
  // Maps along the axis into that array.
  [[nodiscard]] AxisMap input() const;
  [[nodiscard]] AxisMap output() const;
};

// A box of the outputs of a part, or of the whole where there is none, as one of the whole.
[[nodiscard]] Box inWhole(const std::optional<PeriodicPart>& part, Box box);

// The one axis along which a box is a part of outputs of these extents. Throws Error(Usage) for a box that is empty or
// lies outside; empty for the whole, and where several axes are cut `several` is set.
[[nodiscard]] std::optional<std::size_t> cutAxis(const std::array<std::int64_t, 4>& extent, const Box& box,
                                                 bool& several);

}  // namespace sscope
