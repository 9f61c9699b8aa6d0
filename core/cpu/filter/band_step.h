#pragma once
// One dense planar filter, band of rows by band of rows: the tuned rung of conv2d, and dense filters of images.

#include <array>
#include <optional>
#include <vector>

#include "core/cpu/filter/correlator.h"
#include "core/cpu/filter/exact_rounding.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/filter/tuned_block.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

// A tile is a strip of the image that is walked down. A window of packed input rows moves along: while a band of five
// output rows is computed, the five input rows that the next band needs are copied into the window, piece by piece
// between the blocks, and those of the band after it are fetched. Outputs of the arithmetic type go straight into the
// output, others through a band of sums.
template <class T>
class BandStep final : public TileStep {
 public:
  // The filter must have no taps across planes. `rounding`, only in single precision: for integer results; null for
  // none.
  BandStep(const FilterWorkload& workload, std::size_t filter, const PrecisionKernels<T>& kernels,
           const TileLimits& limits, std::unique_ptr<ExactRounding> rounding = nullptr);

  // Whether bands beat the tiles of DenseStep: planar filters to data of the arithmetic type or to integers, where code
  // can be generated and the image is not tiny.
  [[nodiscard]] static bool suits(const FilterWorkload& workload, std::size_t filter,
                                  const PrecisionKernels<T>& kernels);

  [[nodiscard]] std::int64_t tiles() const override { return strips_ * chunks_ * planes_ * space_.components(); }
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& workload) override;
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  static constexpr std::int64_t kRows = 5;  // of a band
  struct Walk;
  [[nodiscard]] std::int64_t halo() const { return space_.hull()[1] - 1; }
  void packRows(const Walk& walk, std::int64_t row, std::int64_t count) const;
  void packEdges(const Walk& walk, std::int64_t row, std::int64_t done) const;
  // Whether the input rows that the next band needs can be copied meanwhile.
  [[nodiscard]] bool copyable(const Walk& walk, std::int64_t row) const;
  void generatedBand(const Walk& walk, std::int64_t y, bool copy) const;
  void compiledBand(const Walk& walk, std::int64_t y, std::int64_t rows) const;
  void store(const Walk& walk, std::int64_t y, std::int64_t rows) const;

  TileSpace space_;
  const PrecisionKernels<T>& kernels_;
  std::size_t output_;
  std::unique_ptr<ExactRounding> rounding_;
  std::vector<T> weights_;  // y fastest, then x
  Correlator<T> correlator_;
  std::shared_ptr<const TunedBlock> block_;
  std::int64_t width_ = 0, height_ = 0;  // outputs of a tile
  std::int64_t strips_ = 1, chunks_ = 1, planes_ = 1;
  std::int64_t row_ = 0, outRow_ = 0;  // strides in elements
  std::int64_t lead_ = 0;              // elements before a window row, so that copies are aligned
  std::int64_t windowRows_ = 0;
};

}  // namespace sscope::cpu
