#pragma once
// Impulse responses: the result of a filter for a single 1.

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/control.h"
#include "core/filter/families/program.h"
#include "core/filter/stencil.h"

namespace sscope {

// A plane of the response, by offsets from the impulse.
struct ImpulsePlane {
  std::size_t across = 0, down = 1, hidden = 2;     // axes: 0 is x
  std::int64_t offset = 0;                          // along the hidden axis
  std::array<std::int64_t, 3> lowest{}, highest{};  // offsets at which the response can differ from the rest
  std::vector<double> values;                       // row by row, `across` fastest
  double largest = 0;                               // magnitude in this plane
  [[nodiscard]] std::int64_t columns() const { return highest[across] - lowest[across] + 1; }
  [[nodiscard]] std::int64_t rows() const { return highest[down] - lowest[down] + 1; }
};

// The plane of a linear filter, a correlation: its taps mirrored through the anchor. The offset is clamped to the
// response.
[[nodiscard]] ImpulsePlane impulsePlane(const Stencil& filter, std::size_t hidden, std::int64_t offset);

// The plane of a node of any program on data of these dimensions (2 or 3) and spacing, computed by the reference in
// double precision for zeros with a single 1. Throws Error(Usage) if that needs more than a gigabyte or an estimated
// minute; Canceled.
[[nodiscard]] ImpulsePlane impulsePlane(const FilterProgram& program, std::size_t node, const FilterGrid& grid,
                                        std::size_t hidden, std::int64_t offset, const Control& control);

// The whole response, minus the node's result for zeros, as the taps of a linear filter with this response. It equals
// the node only if the node is linear. Throws as impulsePlane.
[[nodiscard]] DenseTaps measuredTaps(const FilterProgram& program, std::size_t node, const FilterGrid& grid,
                                     const Control& control);

}  // namespace sscope
