#pragma once
// NaN and Inf where the sum over all taps has them, though sums of terms have others: Inf of one term less Inf of
// another is NaN.

#include <array>
#include <cstdint>

#include "core/cpu/filter/tile_step.h"

namespace sscope::cpu {

// Every tap of a box times NaN or Inf is one of the two, and so is every term and every sum of terms over that box.
// What comes out finite is right, then; what does not is summed again tap by tap, in double precision.
template <class T>
class MendedStore final : public PlaneStore {
 public:
  // Of a filter that has its dense taps beside its terms, and is summed with the axes in this order.
  MendedStore(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
              const PrecisionKernels<T>& kernels);
  // Whether numbers that are not finite can be among the data, or sums of f32 overflow in terms alone.
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
