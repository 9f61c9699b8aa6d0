#pragma once
// Integer results at the speed of single precision, equal to those of double precision: a sum whose error leaves its
// rounding in doubt is made again in double precision, straight from the input. For elements of 8 bits: of those, few
// sums are in doubt; of 16 bits, single precision has too few digits beyond the decimal point.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/kernel_table.h"
#include "core/filter/method/method.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope::cpu {

// How far a sum in single precision may lie from the true one: relative * sum + absolute, where sums that may be
// negative have an absolute error alone. By the usual bound for n roundings in a row, n u / (1 - n u) times the sum of
// magnitudes (N. Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), and zero where all taps are
// multiples of a power of two and everything stays below 2^24 of it.
struct RoundingError {
  double relative = 0, absolute = 0;
};
// `method` is Dense or Separable. Input of 8 bits; the value outside the data is finite.
[[nodiscard]] RoundingError roundingError(const FilterWorkload& workload, std::size_t filter, MethodKind method);

// Whether sums of 8-bit elements by `method` may be rounded as described, and are faster than those in double
// precision.
[[nodiscard]] bool roundsExactly(const FilterWorkload& workload, std::size_t filter, MethodKind method,
                                 const KernelTable& kernels);

class ExactRounding {
 public:
  // roundsExactly(). `order`: of the step that sums.
  ExactRounding(const FilterWorkload& workload, std::size_t filter, MethodKind method, const AxisOrder& order,
                const KernelTable& kernels);

  // Those of a workload that differs in its weights alone.
  void takeWeights(const FilterWorkload& workload);
  // Rows of one plane of sums, as PrecisionKernels<float>::store takes them, for outputs from `begin` on; `space` is
  // the step's, and `begin` counts in it. Returns the number of saturated elements.
  [[nodiscard]] std::int64_t store(const StoreJob& job, const TileSpace& space, std::int64_t component,
                                   const std::array<std::int64_t, 3>& begin, const TileRun& run) const;

 private:
  struct Place;
  [[nodiscard]] std::int64_t storeRow(const RoundingRow& row, const Place& place, const TileRun& run) const;
  [[nodiscard]] double sum(const Place& place, const TileRun& run) const;

  const KernelTable& kernels_;
  std::size_t filter_;
  MethodKind method_;
  TileSpace space_;  // components apart
  std::vector<double> taps_;
  RoundingError error_;
};

}  // namespace sscope::cpu
