#pragma once
// Dense correlation with mirror-symmetric taps, in fewer multiply-adds than there are taps.

#include <array>
#include <memory>
#include <vector>

#include "core/cpu/filter/exact_rounding.h"
#include "core/cpu/filter/reduced_taps.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

// Tiles as DenseStep's. For each plane of outputs the planes that meet the same taps are added, then rows of these sums
// are multiplied with half of the taps (FoldedSum). Every output's sum has the same order, so tiles do not change a
// bit.
template <class T>
class FoldedStep final : public TileStep {
 public:
  // `rounding`, only in single precision: for integer results; null for none.
  FoldedStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
             const PrecisionKernels<T>& kernels, const TileLimits& limits,
             std::unique_ptr<ExactRounding> rounding = nullptr);

  [[nodiscard]] std::int64_t tiles() const override;
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& workload) override;
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  using Extent = std::array<std::int64_t, 3>;
  struct Layout {
    std::int64_t row = 0, plane = 0, outRow = 0;                // strides in elements
    std::int64_t packed = 0, folded = 0, result = 0, sums = 0;  // elements
    [[nodiscard]] std::int64_t bytes() const;
  };
  struct Place {
    Extent begin{};
    std::int64_t component = 0;
  };
  [[nodiscard]] Place place(std::int64_t tile) const;
  [[nodiscard]] Layout layout(const Extent& tile) const;
  [[nodiscard]] double cost(const Extent& tile, const TileLimits& limits) const;
  [[nodiscard]] Extent chooseTile(const TileLimits& limits) const;
  void foldAt(const T* packed, T* folded, const Layout& l) const;
  void sumPlane(FoldedSum<T> job, const Control& control) const;

  TileSpace space_;
  const PrecisionKernels<T>& kernels_;
  std::size_t output_;
  std::unique_ptr<ExactRounding> rounding_;
  Extent size_{};    // of the taps
  Extent halves_{};  // distinct taps along each axis
  std::int64_t group_ = 1;
  std::vector<T> weights_;  // FoldedSum::taps
  Extent tile_{}, count_{};
};

}  // namespace sscope::cpu
