#pragma once
// Single sums in double precision: of outputs whose integers single precision leaves in doubt.

#include <optional>
#include <vector>

#include "core/cpu/filter/plane_store.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/run/kernel_table.h"
#include "core/filter/workload/filter_workload.h"
#include "core/filter/workload/rounding_error.h"

namespace sscope::cpu {

class SumAgain {
 public:
  // Input of 8 bits. `order`: of the step that sums.
  SumAgain(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order, const KernelTable& kernels);

  void takeWeights(const FilterWorkload& workload);

  // Straight from the input, for the output `at` (voxels of the region, in tile order).
  [[nodiscard]] double fromInput(const ConstArrayView& input, std::int64_t component,
                                 const std::array<std::int64_t, 3>& at) const;
  // From the sums along tile axis 1, which are those of single precision: for the output whose first tap meets `first`
  // of a plane, `plane` elements from the next one. Nothing else is rounded. `tapDistance`: as TileSpace's.
  [[nodiscard]] double fromKept(const float* first, std::int64_t plane, std::int64_t tapDistance) const;
  // How far fromKept() may be from the true sum; nothing: it cannot be used.
  [[nodiscard]] const std::optional<RoundingError>& keptError() const { return keptError_; }

  // What fromKept() and fromInput() take, in multiply-adds of whole vectors of single precision, counted in elements.
  struct Cost {
    double fromKept = 0, fromInput = 0;
  };
  [[nodiscard]] static Cost cost(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                                 const KernelTable& kernels);

 private:
  [[nodiscard]] std::optional<double> termFromInput(const PackJob& from, const SeparableTerm& term,
                                                    ElementType type) const;

  const KernelTable& kernels_;
  std::size_t filter_;
  TileSpace space_;                   // components apart
  std::vector<double> taps_;          // of the whole box
  std::vector<SeparableTerm> terms_;  // in tile order, if there are any
  std::vector<std::int64_t> planes_;  // 0, 1, ... for each tap along tile axis 2
  std::optional<RoundingError> keptError_;
};

}  // namespace sscope::cpu
