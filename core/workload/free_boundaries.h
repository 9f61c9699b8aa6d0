#pragma once
// Free boundaries of the magic filter and the wavelet transform: what lies outside the data is zero, one direction
// grows the array by what the taps reach beyond it, the other, its transpose, shrinks it back (L. Genovese et al.,
// Daubechies wavelets as a basis set for density functional pseudopotential calculations, J. Chem. Phys. 129 (2008)
// 014109, where they are those of isolated molecules).
//
// Engines know periodic arrays only. On one so large that what wraps around meets zeros, or results that nobody wants,
// the sums are the same.

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/workload/workload.h"

namespace sscope {

enum class DataBoundary : std::uint8_t { Periodic, Free };
// "periodic", "free"; the names that options take, in this order.
[[nodiscard]] inline std::string_view toString(DataBoundary boundary) {
  return boundary == DataBoundary::Free ? "free" : "periodic";
}

// For each axis, where the elements of the workload's array lie in the larger periodic one: element i at map[i].
using AxisMap = std::vector<std::int64_t>;
struct Embedding {
  std::array<AxisMap, 3> input, output;
};

// A workload that may have them.
class FreeBoundaries {
 public:
  virtual ~FreeBoundaries() = default;
  // The periodic workload that computes the same sums; null where boundaries are periodic already.
  [[nodiscard]] virtual std::unique_ptr<Workload> periodic() const = 0;
  // Into the arrays of periodic().
  [[nodiscard]] virtual Embedding embedding() const = 0;
  // The place of the first voxel of the output, in voxels of the input.
  [[nodiscard]] virtual std::array<std::int64_t, 3> outputOrigin() const = 0;
};

}  // namespace sscope
