#pragma once
// The tuned rung of soup: four rows of outputs at a time from interleaved rows of bytes, in integers.

#include <array>
#include <vector>

#include "core/cpu/filter/soup_kernels.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/scratch.h"
#include "core/filter/workload/ladder_workloads.h"

namespace sscope::cpu {

// A tile is a strip, processed downward four rows at a time. A quad interleaves four input rows, so that one
// instruction sums four products down a column and a shift along x is a load from another address. Four output rows
// need two quads (eight rows); the lower quad is the upper one of the next four rows.
class SoupStep final : public TileStep {
 public:
  // Empty, or why it cannot run these taps.
  [[nodiscard]] static std::string restriction(const SoupWorkload& workload);
  SoupStep(const SoupWorkload& workload, SimdLevel level, const TileLimits& limits);

  [[nodiscard]] std::int64_t tiles() const override { return strips_ * chunks_; }
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override;
  [[nodiscard]] std::string description() const override;
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  struct Strip {
    PackJob job;                         // of all input rows
    std::vector<std::uint8_t> constant;  // a row outside
    std::uint8_t* rows = nullptr;        // four rows, where the input's are not plain
    std::uint8_t* results = nullptr;     // four rows, where the output's are not plain
  };
  void fillQuad(const Strip& strip, std::int64_t row, std::uint8_t* quad) const;
  void storeBand(const Strip& strip, const StoreJob& place, SoupBand band) const;
  [[nodiscard]] std::int64_t padded(std::int64_t width) const;

  TileSpace space_;
  const SoupKernels& kernels_;
  SoupTaps taps_;
  std::int64_t width_ = 0, height_ = 0, strips_ = 1, chunks_ = 1;
};

}  // namespace sscope::cpu
