#pragma once
// The planes of a filter's taps to display.

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/control.h"
#include "core/filter/stencil.h"

namespace sscope {

// The taps of one plane, row by row; `across` points right and `down` down, as in slices of a volume.
struct KernelSlice {
  std::size_t across = 0, down = 1, hidden = 2;  // axes: 0 is x
  std::int64_t offset = 0;                       // of the plane along the hidden axis, relative to the anchor
  std::int64_t thickness = 1;                    // taps along the hidden axis
  std::int64_t columns = 1, rows = 1;
  std::int64_t anchorColumn = 0, anchorRow = 0;
  std::vector<double> weights;

  [[nodiscard]] double at(std::int64_t column, std::int64_t row) const {
    return weights[static_cast<std::size_t>(row * columns + column)];
  }
};

struct KernelSlices {
  std::vector<KernelSlice> slices;  // xy; for filters that reach along z also xz and yz
  double largest = 0;               // |tap| of the whole filter
};

// Each plane is the heaviest along its hidden axis (antisymmetric kernels vanish at the anchor), the anchor's among
// equals. Visits every tap once without expanding all of them: 81^3 taps take a few milliseconds. Throws Canceled.
[[nodiscard]] KernelSlices kernelSlices(const Stencil& filter, const Control& control);

}  // namespace sscope
