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
  bool isSigned = false;  // both signs in earnest and in balance: zero is the background

  [[nodiscard]] bool empty() const { return values.empty(); }
  // Where a value lies among 0..255.
  [[nodiscard]] double level(double value) const { return (value - low) / (high - low) * 255; }
};

inline constexpr std::int64_t kBrickEdge = 128;

// The blocks of an array and what is averaged of them.
struct BrickBlocks {
  std::array<std::int64_t, 3> edge{1, 1, 1};  // voxels; the last block of an axis may be shorter
  std::array<std::int64_t, 3> count{0, 0, 0};
  std::int64_t component = 0;        // the first
  std::int64_t componentsTaken = 1;  // of each voxel
};
// At most `edge` of them along each axis; component -1 takes all components.
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

}  // namespace sscope
