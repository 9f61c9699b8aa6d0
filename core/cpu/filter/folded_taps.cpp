#include "core/cpu/filter/folded_taps.h"

#include "core/filter/workload/filter_workload.h"

namespace sscope::cpu {

namespace {

// In multiply-adds of a dense sum, from measured filters of 4 to 51 taps along an axis (docs/dev/performance-notes.md):
// a sum, a plane that is added, and a row of sums that is added to its outputs, which takes less where more rows of
// taps are summed at once.
constexpr double kSum = 1.25, kPlane = 7;
constexpr double rowCost(int registers) { return registers >= 32 ? 4.5 : 7; }
// Of the dense sum's cost; what saves less is not folded.
constexpr double kWorthwhile = 0.9;

}  // namespace

std::array<std::int64_t, 3> distinctTaps(const DenseTaps& taps) {
  const std::array<bool, 3> mirrored = mirrorSymmetry(taps);
  std::array<std::int64_t, 3> distinct = taps.size;
  for (std::size_t a = 0; a < 3; ++a)
    if (mirrored[a]) distinct[a] = (taps.size[a] + 1) / 2;
  return distinct;
}

FoldedCost foldedCost(const DenseTaps& taps, int registers) {
  const auto distinct = distinctTaps(taps);
  const double sums = static_cast<double>(distinct[0] * distinct[1] * distinct[2]);
  // Additions of planes, of values along x, and of rows of sums to their outputs.
  const auto planes = static_cast<double>(taps.size[2]), rows = static_cast<double>(taps.size[1]);
  const auto columns = static_cast<double>((taps.size[0] - distinct[0]) * distinct[2]);
  return {kSum * sums + kPlane * planes + rowCost(registers) * rows + columns, 2 * sums + planes + rows + columns};
}

bool takesFoldedTaps(const Operator& op, int registers) {
  const Stencil* stencil = op.stencil();
  if (stencil == nullptr || stencil->separable()) return false;
  return foldedCost(stencil->dense, registers).multiplyAdds < kWorthwhile * static_cast<double>(stencil->dense.count());
}

}  // namespace sscope::cpu
