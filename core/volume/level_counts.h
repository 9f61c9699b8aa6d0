#pragma once
// How many voxels of a brick have each of its 256 levels, and where the background ends.

#include <array>
#include <cstdint>

#include "core/volume/volume_brick.h"

namespace sscope {

struct LevelCounts {
  double low = 0, high = 1;  // the values of levels 0 and 255; low < high
  std::array<std::int64_t, 256> counts{};

  [[nodiscard]] double value(double level) const { return low + level / 255 * (high - low); }
  [[nodiscard]] double level(double value) const { return (value - low) / (high - low) * 255; }
  [[nodiscard]] std::int64_t total() const;
};

[[nodiscard]] LevelCounts countLevels(const VolumeBrick& brick);

struct LevelSplit {
  double level = 127.5;   // the threshold
  double separation = 0;  // 0..1: the share of the variance that lies between the two classes
};
// N. Otsu, "A threshold selection method from gray-level histograms", IEEE Trans. SMC 9(1), 1979: the classes with the
// largest variance between them. Where nothing lies between the classes many thresholds do; then halfway between their
// means, which is Otsu's elsewhere.
[[nodiscard]] LevelSplit otsuSplit(const LevelCounts& levels);

// The level below which `fraction` (0..1) of the voxels at or above level `from` lie; 255 where there are none.
[[nodiscard]] double levelBelow(const LevelCounts& levels, double fraction, double from = 0);
// The distance from the middle level, 0..127.5, below which that fraction of all voxels lies: of values of both signs
// the magnitude, as zero is in the middle.
[[nodiscard]] double distanceBelow(const LevelCounts& levels, double fraction);

}  // namespace sscope
