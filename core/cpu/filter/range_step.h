#pragma once
// Means weighted by likeness.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/cpu/filter/range_kernels.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/scratch.h"
#include "core/filter/range_window.h"

namespace sscope::cpu {

// Integers from weighted means in single precision, equal to those of double precision.

// Values are integers of at most 16 bits, exact in single precision. Where the two ends of the range in which a mean
// lies (rangeError) round alike, the integer is certain; else the mean is made again in double precision.
class RangeRounding {
 public:
  RangeRounding() = default;
  // The window's axes are those of the tile.
  explicit RangeRounding(const RangeWindow& window);

  // A row of outputs: the packed input around the first one's center, with its strides.
  struct Row {
    const float* center = nullptr;
    std::int64_t row = 0, plane = 0;
    std::int64_t outputs = 0;
  };
  // Turns sums into integers, in place of the differences.
  void round(const Row& row, const RangeSumsAt<float>& sums, const Control& control) const;

 private:
  // In double precision, straight from the formula.
  [[nodiscard]] double mean(const float* center, std::int64_t row, std::int64_t plane) const;

  RangeWindow window_;
  double relative_ = 0;  // rangeError
};

// Means of one window weighted by likeness.

// A tile is packed as for sums. Single voxels are compared row by row; patches for a whole tile and one offset after
// the other, so that neighbors share the squared differences and their sums along each axis (as J. Darbon et al., Fast
// nonlocal filtering applied to electron cryomicroscopy, ISBI 2008, but with sums over boxes rather than differences of
// integral images, which would lose digits).
template <class T>
class RangeStep final : public TileStep {
 public:
  // In single precision also for integers made of integers of at most 16 bits (RangeRounding).
  RangeStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
            const PrecisionKernels<T>& kernels, const TileLimits& limits);

  [[nodiscard]] std::int64_t tiles() const override;
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& workload) override;
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  struct Layout {
    std::int64_t width = 0;                       // of outputs, a multiple of the lanes
    std::int64_t row = 0, plane = 0, packed = 0;  // of the input: strides and size in elements
    std::int64_t outRow = 0, sums = 0;            // of sums
    std::int64_t squares = 0, lines = 0, planes = 0;
  };
  struct Place {
    std::array<std::int64_t, 3> begin{}, size{};
    std::int64_t component = 0;
  };

  [[nodiscard]] bool patched() const { return window_.patchCount() > 1; }
  [[nodiscard]] Layout layout(const std::array<std::int64_t, 3>& tile) const;
  [[nodiscard]] std::int64_t bytes(const Layout& layout) const;
  [[nodiscard]] std::array<std::int64_t, 3> chooseTile(const TileLimits& limits) const;
  [[nodiscard]] Place place(std::int64_t tile) const;
  void shift(const T* center, const Layout& l, const Place& place, ScratchCarver& carver, const RangeSumsAt<T>& sums,
             const Control& control) const;

  // A row of sums becomes one of means, in place of the differences.
  void finish(const T* center, const Layout& l, std::int64_t outputs, const RangeSumsAt<T>& row,
              const Control& control) const;

  std::size_t output_;
  AxisOrder order_;
  TileSpace space_;
  const PrecisionKernels<T>& kernels_;
  const RangeKernels<T>& range_;
  bool rounds_;         // integers in single precision
  RangeWindow window_;  // in tile axes
  RangeRounding rounding_;
  T scale_ = 1, floor_ = 0;                       // of differences and their squares, so that weights are powers of two
  std::vector<T> exponents_;                      // of the box, for distance alone; -infinity at the center
  std::array<std::int64_t, 3> tile_{}, count_{};  // outputs, tiles per axis
};

}  // namespace sscope::cpu
