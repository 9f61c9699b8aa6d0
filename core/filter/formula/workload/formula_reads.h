#pragma once
// What a formula reads at the voxels of a row, as numbers.

#include <span>
#include <vector>

#include "core/filter/formula/workload/formula_workload.h"

namespace sscope {

class FormulaReads {
 public:
  // `constant`: the value outside the volume, where the boundary rule has one. A view without data is 0 everywhere.
  FormulaReads(const FormulaWorkload& workload, std::span<const ConstArrayView> inputs, double constant)
      : workload_(workload), inputs_(inputs), constant_(constant) {}

  // values[r * stride + i] = the read r at the voxel i behind `voxel` along x, for one component of the output.
  void gather(const std::array<std::int64_t, 3>& voxel, std::size_t count, std::int64_t component, std::size_t stride,
              std::span<double> values) const;

 private:
  void gatherOne(const FormulaRead& read, const std::array<std::int64_t, 3>& voxel, std::int64_t component,
                 std::span<double> values) const;

  const FormulaWorkload& workload_;
  std::span<const ConstArrayView> inputs_;
  double constant_;
};

}  // namespace sscope
