#pragma once
// The first rungs of the ladders: output by output and tap by tap, directly from the input.

#include <array>
#include <vector>

#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/scratch.h"
#include "core/filter/workload/ladder_workloads.h"

namespace sscope::cpu {

// Rows of outputs cut into pieces of a few milliseconds. All filters must have the same size and anchor.
class NaiveRows {
 public:
  explicit NaiveRows(const FilterWorkload& workload);

  [[nodiscard]] std::int64_t tiles() const { return pieces_ * extent()[1] * extent()[2] * space_.components(); }
  [[nodiscard]] std::int64_t longest() const { return longest_; }  // outputs of a tile
  [[nodiscard]] std::int64_t filters() const { return filters_; }
  [[nodiscard]] double work() const;

  struct Place {
    std::array<std::int64_t, 3> begin{};
    std::int64_t component = 0, count = 0;
  };
  [[nodiscard]] Place place(std::int64_t tile) const;
  // The job of a tile, without taps and out.
  template <class T>
  [[nodiscard]] NaiveJob<T> job(const Place& at, const ConstArrayView& input) const {
    NaiveJob<T> job;
    job.from = space_.packJob(input, at.component, at.begin, {at.count + size_[0] - 1, size_[1], size_[2]});
    job.size = size_;
    job.filters = filters_;
    job.count = at.count;
    job.outFilter = longest_;
    return job;
  }
  [[nodiscard]] StoreJob storeJob(const ArrayView& output, const Place& at) const {
    return space_.storeJob(output, at.component, at.begin, {at.count, 1, 1});
  }

 private:
  [[nodiscard]] const std::array<std::int64_t, 3>& extent() const { return space_.extent(); }
  std::array<std::int64_t, 3> size_;
  std::int64_t filters_;
  TileSpace space_;
  std::int64_t longest_, pieces_;
};

// Empty, or why rungs that need filters of equal size cannot run it.
[[nodiscard]] std::string sameSizeRestriction(const FilterWorkload& workload);

template <class T>
class NaiveStep final : public TileStep {
 public:
  NaiveStep(const FilterWorkload& workload, const PrecisionKernels<T>& kernels);

  [[nodiscard]] std::int64_t tiles() const override { return rows_.tiles(); }
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override { return rows_.work(); }
  [[nodiscard]] std::string description() const override { return "one output after the other"; }
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  NaiveRows rows_;
  const PrecisionKernels<T>& kernels_;
  std::vector<T> taps_;  // filters fastest
};

class NaiveSoupStep final : public TileStep {
 public:
  NaiveSoupStep(const SoupWorkload& workload, const KernelTable& kernels);

  [[nodiscard]] std::int64_t tiles() const override { return rows_.tiles(); }
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override { return rows_.work(); }
  [[nodiscard]] std::string description() const override { return "one output after the other, in integers"; }
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  NaiveRows rows_;
  const KernelTable& kernels_;
  std::vector<std::int32_t> taps_;
  float scale_;
};

}  // namespace sscope::cpu
