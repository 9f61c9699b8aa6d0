#pragma once
// A volume made small enough to be ray cast: at most 128 voxels along each edge, 8 bits.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/control.h"
#include "core/volume/volume.h"

namespace sscope {

struct VolumeBrick {
  std::array<std::int64_t, 3> size{0, 0, 0};
  std::array<double, 3> spacing{1, 1, 1};  // physical, of the averaged blocks
  std::array<double, 3> origin{0, 0, 0};   // of the first block's center, along the index axes from voxel (0,0,0)
  std::int64_t reduction = 1;              // the largest block's edge in voxels
  std::vector<std::uint8_t> values;        // 0 at `low`, 255 at `high`
  double low = 0, high = 1;
  bool isSigned = false;  // balanced values of both signs: zero is the background

  [[nodiscard]] bool empty() const { return values.empty(); }
  // The level of a value, 0..255.
  [[nodiscard]] double level(double value) const { return (value - low) / (high - low) * 255; }
};

inline constexpr std::int64_t kBrickEdge = 128;

// The blocks of an array and the components that are averaged.
struct BrickBlocks {
  std::array<std::int64_t, 3> edge{1, 1, 1};  // voxels; the last block of an axis may be shorter
  std::array<std::int64_t, 3> count{0, 0, 0};
  std::int64_t component = 0;        // the first
  std::int64_t componentsTaken = 1;  // of each voxel
};
// At most `edge` blocks along each axis; component -1 averages all components.
[[nodiscard]] BrickBlocks brickBlocks(const ArraySpec& spec, int component, std::int64_t edge);
// The mean of the finite elements of every block, 0 where there are none; x fastest. On all threads. Throws Canceled.
[[nodiscard]] std::vector<float> blockMeans(const Volume& volume, const BrickBlocks& blocks, const Control& control);
// The brick of an array with these blocks and means. `window`: see makeBrick().
[[nodiscard]] VolumeBrick brickOf(const BrickBlocks& blocks, const std::vector<float>& means, const Geometry& geometry,
                                  const std::optional<std::array<double, 2>>& window);

// Averages blocks of voxels; one pass over the volume on all threads, so call it off the UI thread. component -1
// averages all components. `window`: the values of levels 0 and 255, else they are chosen from the data. Throws
// Canceled.
[[nodiscard]] VolumeBrick makeBrick(const Volume& volume, int component, std::int64_t edge, const Control& control,
                                    const std::optional<std::array<double, 2>>& window = {});

// The number of voxels of a brick with each of its 256 levels, and thresholds from these.

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
// largest variance between them. If there is a gap between the classes, many thresholds are equally good; then it is
// halfway between the means of the classes, as Otsu's threshold is in all other cases.
[[nodiscard]] LevelSplit otsuSplit(const LevelCounts& levels);

// The level below which `fraction` (0..1) of the voxels at or above level `from` lie; 255 if there are none.
[[nodiscard]] double levelBelow(const LevelCounts& levels, double fraction, double from = 0);
// The distance from the middle level, 0..127.5, below which that fraction of all voxels lies: for signed data the
// magnitude, because zero is in the middle.
[[nodiscard]] double distanceBelow(const LevelCounts& levels, double fraction);

}  // namespace sscope
