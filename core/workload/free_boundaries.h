#pragma once
// Free boundaries of the magic filter and the wavelet transform: the data are zero outside, one direction grows the
// array by the reach of the taps, and the other, its transpose, shrinks it back (L. Genovese et al., Daubechies
// wavelets as a basis set for density functional pseudopotential calculations, J. Chem. Phys. 129 (2008) 014109, where
// they are used for isolated molecules).
//
// Engines support periodic arrays only. On a periodic array that is large enough, wrapping affects only zeros and
// results that are not used, so the sums are the same. In the same way a part of the outputs of a periodic workload
// (Workload::cutTo) is computed as a smaller periodic array of what the part reads.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/volume/array_view.h"
#include "core/workload/workload.h"

namespace sscope {

enum class DataBoundary : std::uint8_t { Periodic, Free };
// "periodic", "free"; the choices of the option, in this order.
[[nodiscard]] inline std::string_view toString(DataBoundary boundary) {
  return boundary == DataBoundary::Free ? "free" : "periodic";
}

// map[i] is the position along an axis of element i of the workload's array in the periodic array; -1: it is not needed
// there (inputs of parts).
using AxisMap = std::vector<std::int64_t>;
struct Embedding {
  std::array<AxisMap, 3> input, output;
};

// A workload that may have free boundaries or be a part of a periodic one.
class FreeBoundaries {
 public:
  virtual ~FreeBoundaries() = default;
  // The periodic workload that computes the same sums; null for a whole workload with periodic boundaries.
  [[nodiscard]] virtual std::unique_ptr<Workload> periodic() const = 0;
  // The embedding into the arrays of periodic().
  [[nodiscard]] virtual Embedding embedding() const = 0;
  // Whether it is a part whose sums may be rounded differently from those of the whole, because engines compute them in
  // an array of other extents.
  [[nodiscard]] virtual bool roundsAsPart() const { return false; }
  // The position of the output's first voxel, in voxels of the input.
  [[nodiscard]] virtual std::array<std::int64_t, 3> outputOrigin() const = 0;
};

// Planes of the outputs of a periodic workload, and the smaller periodic array in which they are computed.

struct PeriodicPart {
  std::size_t axis = 2;
  std::int64_t begin = 0, end = 0;  // of the whole's planes
  std::int64_t whole = 0;           // planes of the whole, along this axis the same for input and output
  // An output reads `taps` planes, beginning at its own plane plus `first`.
  std::int64_t first = 0, taps = 1;

  [[nodiscard]] std::int64_t count() const { return end - begin; }
  // The planes of the array in which it is computed: those that the part reads, at most `whole`.
  [[nodiscard]] std::int64_t period() const;
  // Maps along the axis into that array.
  [[nodiscard]] AxisMap input() const;
  [[nodiscard]] AxisMap output() const;
};

// Converts a box of the part's outputs to the whole's; without a part it is returned as it is.
[[nodiscard]] Box inWhole(const std::optional<PeriodicPart>& part, Box box);

// The one axis along which a box is a part of outputs of these extents. Throws Error(Usage) for a box that is empty or
// outside. Empty for the whole; sets `several` if several axes are cut.
[[nodiscard]] std::optional<std::size_t> cutAxis(const std::array<std::int64_t, 4>& extent, const Box& box,
                                                 bool& several);

}  // namespace sscope
