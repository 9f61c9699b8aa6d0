#pragma once
// The axes of a run in the order in which tiles use them, and what every position along them maps to.

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

// The region of a workload with a hull of taps around it, in tile axes.
class TileSpace {
 public:
  // size and anchor of the hull belong to volume axes.
  TileSpace(const FilterWorkload& workload, const AxisOrder& order, const std::array<std::int64_t, 3>& size,
            const std::array<std::int64_t, 3>& anchor);

  [[nodiscard]] const AxisOrder& order() const { return order_; }
  [[nodiscard]] const std::array<std::int64_t, 3>& extent() const { return extent_; }  // of the region
  [[nodiscard]] const std::array<std::int64_t, 3>& hull() const { return hull_; }      // tap counts
  [[nodiscard]] const std::array<std::int64_t, 3>& anchor() const { return anchor_; }
  [[nodiscard]] std::int64_t components() const { return components_; }

  // The job that packs input for outputs begin .. begin + extent - hull + 1 of one component; the tile
  // pointers and strides are left to the caller. `extent` includes the hull.
  [[nodiscard]] PackJob packJob(const ConstArrayView& input, std::int64_t component,
                                const std::array<std::int64_t, 3>& begin,
                                const std::array<std::int64_t, 3>& extent) const;
  // The job that stores outputs from `begin` on.
  [[nodiscard]] StoreJob storeJob(const ArrayView& output, std::int64_t component,
                                  const std::array<std::int64_t, 3>& begin,
                                  const std::array<std::int64_t, 3>& extent) const;
  // Where the input element behind output position `at` lies (the nearest one inside the volume), for prefetching;
  // null where neighbors along x are not neighbors in memory.
  [[nodiscard]] const std::byte* source(const ConstArrayView& input, std::int64_t component,
                                        const std::array<std::int64_t, 3>& at) const;

 private:
  AxisOrder order_;
  std::array<std::int64_t, 3> extent_, hull_, anchor_, origin_, volume_;
  std::int64_t components_;
  double constant_;
  std::array<std::vector<std::int64_t>, 3> index_;  // per axis: source index of region position - anchor + i
};

}  // namespace sscope::cpu
