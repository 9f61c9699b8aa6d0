#pragma once
// Corrects NaN and Inf in sums of terms: the result has them where the sum over all taps has them. Sums of terms may
// have others, since Inf of one term minus Inf of another is NaN.

#include <array>
#include <cstdint>

#include "core/cpu/filter/tile_step.h"

namespace sscope::cpu {

// Every tap of a box times NaN or Inf is NaN or Inf, and so is every term and every sum of terms over that box. So a
// finite sum is correct; any other is summed again tap by tap, in double precision.
template <class T>
class MendedStore final : public PlaneStore {
 public:
  // For a filter with dense taps and terms, which is summed with the axes in this order.
  MendedStore(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
              const PrecisionKernels<T>& kernels);
  // Whether the data may contain non-finite numbers, or sums of f32 may overflow in terms only.
  [[nodiscard]] static bool needed(const FilterWorkload& workload);

  void takeWeights(const FilterWorkload& workload) override;
  [[nodiscard]] std::int64_t store(const StoreJob& job, const TileSpace& space, std::int64_t component,
                                   const std::array<std::int64_t, 3>& begin, const KeptSums& kept,
                                   const TileRun& run) const override;
  [[nodiscard]] const char* words() const override { return "NaN and Inf summed densely"; }

 private:
  // The dense sum for the voxel `at` of the region, in volume axes.
  [[nodiscard]] double sum(const std::array<std::int64_t, 3>& at, std::int64_t component, const TileRun& run) const;

  const PrecisionKernels<T>& kernels_;
  std::size_t filter_;
  AxisOrder order_;
  std::array<std::int64_t, 3> origin_;  // of the region
  Boundary boundary_;
  double constant_;
  DenseTaps taps_;
};

}  // namespace sscope::cpu
