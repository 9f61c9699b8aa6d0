#pragma once
// Integer results at the speed of single precision, equal to those of double precision: a sum whose error leaves its
// rounding in doubt is made again in double precision: from the sums of the first pass, and where their own error
// leaves it in doubt, straight from the input. For elements of 8 bits: of those, few sums are in doubt; of 16 bits,
// single precision has too few digits beyond the decimal point.

#include <array>
#include <cstdint>

#include "core/cpu/filter/plane_store.h"
#include "core/cpu/filter/sum_again.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/kernel_table.h"
#include "core/filter/method/method.h"
#include "core/filter/workload/filter_workload.h"
#include "core/filter/workload/rounding_error.h"

namespace sscope::cpu {

// `method` is Dense or Separable. Input of 8 bits; the value outside the data is finite.
[[nodiscard]] RoundingError roundingError(const FilterWorkload& workload, std::size_t filter, MethodKind method);

// Whether sums of 8-bit elements by `method` may be rounded as described, and are faster than those in double
// precision.
[[nodiscard]] bool roundsExactly(const FilterWorkload& workload, std::size_t filter, MethodKind method,
                                 const KernelTable& kernels);

class ExactRounding final : public PlaneStore {
 public:
  // roundsExactly(). `order`: of the step that sums.
  ExactRounding(const FilterWorkload& workload, std::size_t filter, MethodKind method, const AxisOrder& order,
                const KernelTable& kernels);

  void takeWeights(const FilterWorkload& workload) override;
  [[nodiscard]] std::int64_t store(const StoreJob& job, const TileSpace& space, std::int64_t component,
                                   const std::array<std::int64_t, 3>& begin, const KeptSums& kept,
                                   const TileRun& run) const override;
  [[nodiscard]] const char* words() const override { return "rounded exactly"; }

 private:
  struct Place;
  [[nodiscard]] std::int64_t storeRow(const RoundingRow& row, const Place& place, const TileRun& run) const;
  // Of the value `at` of a row.
  [[nodiscard]] double sum(const Place& place, std::int64_t at, const TileRun& run) const;

  const KernelTable& kernels_;
  std::size_t filter_;
  MethodKind method_;
  SumAgain again_;
  RoundingError error_;
};

}  // namespace sscope::cpu
