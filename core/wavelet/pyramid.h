#pragma once
// The layout of a wavelet transform's bands: the standard in-place pyramid. At every level the box of averages is split
// in two along each transformed axis, low pass first; the low pass of all axes is split again at the next level.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"

namespace sscope {

inline constexpr int kMaximumLevels = 30;

struct PyramidBand {
  std::string name;  // "L3" for the averages, else per transformed axis x, y, z: "HLL1" is high along x, of level 1
  int level = 1;     // 1 is the finest
  std::array<bool, 3> high{false, false, false};
  Box box;

  [[nodiscard]] bool averages() const { return !high[0] && !high[1] && !high[2]; }
};

struct Pyramid {
  std::array<std::int64_t, 3> extent{1, 1, 1};  // of the coefficients
  std::array<bool, 3> axes{true, true, true};   // the transformed axes
  int levels = 1;
  std::array<std::int64_t, 3> original{1, 1, 1};  // extents of the data before they were extended

  [[nodiscard]] int dimensions() const { return axes[0] + axes[1] + axes[2]; }
  // Extents of the averages after `level` levels; level 0: all of it.
  [[nodiscard]] std::array<std::int64_t, 3> extentAt(int level) const;
  // All bands: the averages first, then from the coarsest to the finest level; in a level x changes fastest.
  [[nodiscard]] std::vector<PyramidBand> bands() const;
  // Index in bands() of the band of this level that is high along the axes whose bits are set in `high`; 0 for the
  // averages, high = 0.
  [[nodiscard]] std::size_t bandIndex(int level, unsigned high) const;
};

// Axes 0..dimensions-1, or all for 0, of those that are longer than one voxel.
[[nodiscard]] std::array<bool, 3> transformedAxes(const std::array<std::int64_t, 3>& extent, int dimensions);
// The largest number of levels for data of this size, after which one axis is a single average. 0 if no axis is
// transformed.
[[nodiscard]] int largestLevels(const std::array<std::int64_t, 3>& extent, const std::array<bool, 3>& axes);
// Rounds extents along transformed axes up to a multiple of 2^levels. Throws Error(Usage) naming the largest number of
// levels when there are too many.
[[nodiscard]] Pyramid pyramidFor(const std::array<std::int64_t, 3>& extent, int dimensions, int levels);

struct BandEnergy {
  PyramidBand band;
  double energy = 0;       // sum of squares
  double share = 0;        // of the energy of all bands, 0..1
  std::int64_t zeros = 0;  // coefficients that are zero
};
// In the order of Pyramid::bands(). Coefficients are f32 or f64 of one component with the pyramid's extents.
// Throws Canceled.
[[nodiscard]] std::vector<BandEnergy> bandEnergies(const ConstArrayView& coefficients, const Pyramid& pyramid,
                                                   const Control& control = {});

}  // namespace sscope
