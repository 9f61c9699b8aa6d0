#pragma once
// One dense filter as a sum of few separable terms (core/filter/low_rank.h).

#include <memory>
#include <string>

#include "core/cpu/filter/separable_step.h"

namespace sscope::cpu {

template <class T>
class LowRankStep final : public TileStep {
 public:
  LowRankStep(const FilterWorkload& workload, std::size_t filter, const PrecisionKernels<T>& kernels,
              const TileLimits& limits);

  [[nodiscard]] std::int64_t tiles() const override { return passes_->tiles(); }
  [[nodiscard]] std::int64_t scratchBytes() const override { return passes_->scratchBytes(); }
  [[nodiscard]] double work() const override { return passes_->work(); }
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& workload) override;
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override {
    passes_->runTile(tile, scratch, run);
  }

 private:
  std::size_t filter_;
  std::size_t terms_;
  std::unique_ptr<SeparableStep<T>> passes_;
};

}  // namespace sscope::cpu
