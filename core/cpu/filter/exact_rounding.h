#pragma once
// Integers that are rounded from sums as the reference rounds them, although sums are in single precision.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/kernel_table.h"
#include "core/filter/method/method.h"
#include "core/filter/workload/filter_workload.h"
#include "core/filter/workload/rounding_error.h"

namespace sscope::cpu {

// Single sums in double precision: of outputs whose integers single precision leaves in doubt.

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

// Integer results at the speed of single precision, equal to those of double precision: a sum whose error leaves its
// rounding in doubt is made again in double precision: from the sums of the first pass, and where their own error
// leaves it in doubt, straight from the input. For elements of 8 bits: of those, few sums are in doubt; of 16 bits,
// single precision has too few digits beyond the decimal point.

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
