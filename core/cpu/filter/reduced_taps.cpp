#include "core/cpu/filter/reduced_taps.h"

#include <algorithm>

#include "core/filter/workload/filter_shape.h"

namespace sscope::cpu {

namespace {

constexpr std::int64_t kPiece = 4'000'000;  // operations between two looks at the control

// Measured (docs/dev/performance-notes.md).
constexpr std::int64_t kRowsFrom = 6, kColumnsFrom = 9;  // taps

// Loads that cross cache lines are the limit, then stores.
double costOf(const EqualSplit& split) {
  return 2 * static_cast<double>(split.first + split.firsts + split.singles) + 4;
}

}  // namespace

EqualSplit equalSplit(std::int64_t taps) {
  EqualSplit best{1, taps, 0};
  for (std::int64_t first = 2; first <= taps; ++first) {
    const EqualSplit split{first, taps / first, taps % first};
    if (costOf(split) < costOf(best)) best = split;
  }
  return best;
}

EqualCost equalCost(std::int64_t taps, bool alongX) {
  if (!alongX) return {5, 5};  // two multiply-adds and an addition, and sums that are stored and loaded
  const EqualSplit split = equalSplit(taps);
  return {costOf(split), 2 * static_cast<double>(split.first + split.singles) + static_cast<double>(split.firsts)};
}

bool takesEqualTaps(const AxisTaps& taps, bool alongX) {
  return taps.size() >= (alongX ? kColumnsFrom : kRowsFrom) && taps.equal();
}

template <class T>
void runEqualRows(const PrecisionKernels<T>& kernels, const EqualSum<T>& job, const Control& control) {
  constexpr std::int64_t kVectors = 8;  // what blocks divide
  const std::int64_t perVector = 3 * job.rows + 2 * job.taps;
  const std::int64_t vectors = std::max(kPiece / perVector / kVectors * kVectors, kVectors);
  for (std::int64_t vector = 0; vector < job.vectors; vector += vectors) {
    control.check();
    EqualSum<T> piece = job;
    piece.vectors = std::min(vectors, job.vectors - vector);
    piece.in += vector * kernels.lanes;
    piece.out += vector * kernels.lanes;
    if (job.prefetch != nullptr) piece.prefetch += vector * kernels.lanes * job.prefetchElement;
    kernels.sumEqual(piece);
  }
}

template <class T>
void runEqualColumns(const PrecisionKernels<T>& kernels, const EqualColumnSum<T>& job, const Control& control) {
  const std::int64_t perRow = job.vectors * (job.first + job.firsts + job.singles);
  const std::int64_t rows = std::max<std::int64_t>(kPiece / perRow, 1);
  for (std::int64_t row = 0; row < job.rows; row += rows) {
    control.check();
    EqualColumnSum<T> piece = job;
    piece.rows = std::min(rows, job.rows - row);
    piece.in += row * job.inRow;
    piece.out += row * job.outRow;
    kernels.sumEqualColumns(piece);
  }
}

template void runEqualRows(const PrecisionKernels<float>&, const EqualSum<float>&, const Control&);
template void runEqualRows(const PrecisionKernels<double>&, const EqualSum<double>&, const Control&);
template void runEqualColumns(const PrecisionKernels<float>&, const EqualColumnSum<float>&, const Control&);
template void runEqualColumns(const PrecisionKernels<double>&, const EqualColumnSum<double>&, const Control&);

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
