#pragma once
// What a formula reads at one voxel after the other, as numbers.

#include <span>
#include <vector>

#include "core/filter/formula/workload/formula_workload.h"

namespace sscope {

class FormulaReads {
 public:
  FormulaReads(const FormulaWorkload& workload, std::span<const ConstArrayView> inputs)
      : workload_(workload), inputs_(inputs) {}
  [[nodiscard]] const Formula& formula() const { return workload_.formula(); }

  // values[r] = the read r at a voxel of the volume, for one component of the output.
  void gather(const std::array<std::int64_t, 3>& voxel, std::int64_t component, std::span<double> values) const;

 private:
  const FormulaWorkload& workload_;
  std::span<const ConstArrayView> inputs_;
};

}  // namespace sscope
