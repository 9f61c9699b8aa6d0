#pragma once
// The axes of a run in tile order, and the source index of every position along them.

#include <array>
#include <cstdint>
#include <vector>

#include "core/boundary/boundary.h"
#include "core/cpu/run/kernel_table.h"
#include "core/filter/stencil.h"
#include "core/filter/workload/filter_workload.h"
#include "core/volume/array_view.h"

namespace sscope::cpu {

// axis[a] is the volume axis behind tile axis a: 0 is vectorized, 1 the rows, 2 the planes.
using AxisOrder = std::array<std::size_t, 3>;

template <class V>
[[nodiscard]] std::array<V, 3> permuted(const std::array<V, 3>& values, const AxisOrder& order) {
  return {values[order[0]], values[order[1]], values[order[2]]};
}
[[nodiscard]] DenseTaps permuted(const DenseTaps& taps, const AxisOrder& order);
[[nodiscard]] SeparableTerm permuted(const SeparableTerm& term, const AxisOrder& order);

// Components of a voxel are tiles of their own, or a row of a tile holds them all side by side, as memory does: then
// colors take no longer than gray. Side by side only along the volume's x, up to kMostSideBySide of them, and where the
// taps along x reach over no more than kWidestSideBySide values of a row, because tiles hold as many around them.
enum class Components : std::uint8_t { Apart, SideBySide };
inline constexpr std::int64_t kMostSideBySide = 16, kWidestSideBySide = 1024;

// The region of a workload with a hull of taps around it, in tile axes. All extents and positions along tile axis 0
// count values: voxels, or with components side by side `tapDistance` values for each voxel.
class TileSpace {
 public:
  // size and anchor of the hull belong to volume axes and count voxels.
  TileSpace(const FilterWorkload& workload, const AxisOrder& order, const std::array<std::int64_t, 3>& size,
            const std::array<std::int64_t, 3>& anchor, Components components = Components::Apart);

  [[nodiscard]] const AxisOrder& order() const { return order_; }
  [[nodiscard]] const std::array<std::int64_t, 3>& extent() const { return extent_; }  // of the region
  [[nodiscard]] const std::array<std::int64_t, 3>& hull() const { return hull_; }      // tap counts
  [[nodiscard]] const std::array<std::int64_t, 3>& anchor() const { return anchor_; }
  [[nodiscard]] const std::array<std::int64_t, 3>& origin() const { return origin_; }  // the region's, in the volume
  [[nodiscard]] std::int64_t components() const { return components_; }                // that are tiles of their own
  [[nodiscard]] std::int64_t tapDistance() const { return sideBySide_; }               // values between taps along x

  // The job that packs input for outputs begin .. begin + extent - hull + 1 of one component; the caller sets the tile
  // pointers and strides. `extent` includes the hull.
  [[nodiscard]] PackJob packJob(const ConstArrayView& input, std::int64_t component,
                                const std::array<std::int64_t, 3>& begin,
                                const std::array<std::int64_t, 3>& extent) const;
  // The job that stores outputs from `begin` on.
  [[nodiscard]] StoreJob storeJob(const ArrayView& output, std::int64_t component,
                                  const std::array<std::int64_t, 3>& begin,
                                  const std::array<std::int64_t, 3>& extent) const;
  // The address of the input element at output position `at` (clamped to the volume), for prefetching; null if
  // neighbors along x are not adjacent in memory.
  [[nodiscard]] const std::byte* source(const ConstArrayView& input, std::int64_t component,
                                        const std::array<std::int64_t, 3>& at) const;

 private:
  // Whether memory holds the components of a voxel, and voxels of a row, as a tile's row does.
  [[nodiscard]] bool sideBySide(const std::array<std::int64_t, 4>& stride) const {
    return sideBySide_ > 1 && stride[0] == sideBySide_ && stride[3] == 1;
  }

  AxisOrder order_;
  std::array<std::int64_t, 3> extent_, hull_, anchor_, origin_, volume_;
  std::int64_t sideBySide_ = 1;  // components in a row
  std::int64_t components_;
  double constant_;
  // Per axis: source index of region position - anchor + i, in values of a row along tile axis 0.
  std::array<std::vector<std::int64_t>, 3> index_;
};

// The order of axes in which vectors are long and the kernels have the most to share.

[[nodiscard]] AxisOrder denseOrder(const FilterWorkload& workload, const std::vector<std::size_t>& filters);
[[nodiscard]] AxisOrder separableOrder(const FilterWorkload& workload, std::size_t filter);

}  // namespace sscope::cpu
