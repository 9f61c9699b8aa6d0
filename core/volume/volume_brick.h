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

// Averages blocks of voxels; one pass over the volume on all threads, so call it off the UI thread. component -1
// averages all components. `window`: the values of levels 0 and 255, else they are chosen from the data. Throws
// Canceled.
[[nodiscard]] VolumeBrick makeBrick(const Volume& volume, int component, std::int64_t edge, const Control& control,
                                    const std::optional<std::array<double, 2>>& window = {});

}  // namespace sscope
