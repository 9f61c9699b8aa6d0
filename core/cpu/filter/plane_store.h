#pragma once
// How a step's sums become elements of its output, where converting each of them is not all there is to do.

#include <array>
#include <cstdint>

#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/kernel_table.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope::cpu {

// The sums along tile axis 1 that a plane of sums was made from by further passes, where they are still there.
struct KeptSums {
  const void* sums = nullptr;       // for the plane's first output, of the first tap along axis 0 and 2; null for none
  std::int64_t row = 0, plane = 0;  // strides in elements
};

class PlaneStore {
 public:
  virtual ~PlaneStore() = default;
  // Those of a workload that differs in its weights alone.
  virtual void takeWeights(const FilterWorkload& workload) = 0;
  // Rows of one plane of sums, as PrecisionKernels<T>::store takes them, for outputs from `begin` on; `space` is the
  // step's, and `begin` counts in it. Returns the number of saturated elements.
  [[nodiscard]] virtual std::int64_t store(const StoreJob& job, const TileSpace& space, std::int64_t component,
                                           const std::array<std::int64_t, 3>& begin, const KeptSums& kept,
                                           const TileRun& run) const = 0;
  // For descriptions of steps, after a comma.
  [[nodiscard]] virtual const char* words() const = 0;
};

}  // namespace sscope::cpu
