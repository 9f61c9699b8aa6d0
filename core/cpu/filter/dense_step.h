#pragma once
// Dense correlation of a group of filters that share packed tiles.

#include <array>
#include <memory>
#include <vector>

#include "core/cpu/filter/correlator.h"
#include "core/cpu/filter/exact_rounding.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

template <class T>
class DenseStep final : public TileStep {
 public:
  // `filters` are indices into the workload's. `rounding`, only in single precision: for the integer results of each;
  // empty for none.
  DenseStep(const FilterWorkload& workload, std::vector<std::size_t> filters, const AxisOrder& order,
            const PrecisionKernels<T>& kernels, const TileLimits& limits,
            std::vector<std::unique_ptr<ExactRounding>> rounding = {});

  [[nodiscard]] std::int64_t tiles() const override;
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& workload) override;
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  struct Taps {
    std::size_t output = 0;
    std::array<std::int64_t, 3> size{}, offset{};  // offset: from the hull's first tap
    std::vector<T> weights;                        // y fastest, then x, then z
    Correlator<T> correlator;
    std::unique_ptr<ExactRounding> rounding;
  };
  struct Layout {
    std::int64_t row = 0, plane = 0, outRow = 0;  // strides in elements
    std::int64_t packed = 0, result = 0;          // elements
  };
  struct Place {
    std::array<std::int64_t, 3> begin{};
    std::int64_t component = 0;
  };
  [[nodiscard]] Place place(std::int64_t tile) const;
  [[nodiscard]] Layout layout(const std::array<std::int64_t, 3>& tile) const;
  [[nodiscard]] std::array<std::int64_t, 3> chooseTile(const TileLimits& limits) const;

  TileSpace space_;
  const PrecisionKernels<T>& kernels_;
  std::vector<Taps> taps_;
  static constexpr std::int64_t kStrip = 10;  // rows computed before they are stored: they stay in the nearest cache
  std::array<std::int64_t, 3> tile_{};        // outputs
  std::array<std::int64_t, 3> count_{};       // tiles per axis
};

}  // namespace sscope::cpu
