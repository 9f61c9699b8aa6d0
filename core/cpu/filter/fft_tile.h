#pragma once
// The tiles in which a filter is computed by Fourier transforms, and what they cost.

#include <array>
#include <cstdint>

namespace sscope::cpu {

struct FftTile {
  std::array<std::int64_t, 3> length{0, 0, 0};   // of the transforms, in tile axes; x and y have multiples of 16
  std::array<std::int64_t, 3> outputs{1, 1, 1};  // of one tile: length - taps + 1
  double multiplyAdds = 0;                       // dense ones that take as long as all tiles
  double operations = 0;                         // executed on all tiles
  // Of these: what is the same for all filters with such tiles.
  double sharedMultiplyAdds = 0, sharedOperations = 0;

  [[nodiscard]] std::int64_t points() const { return length[0] * length[1] * length[2]; }
};

// Whether there is a tile for so many taps along each axis, whatever the order of the axes.
[[nodiscard]] bool fftTakes(const std::array<std::int64_t, 3>& taps);
// The cheapest tile for `taps` along each axis and `extent` outputs (x, y, z, components). Length 0: too many taps.
// Depends on nothing but the arguments, because other tiles round differently.
[[nodiscard]] FftTile fftTile(const std::array<std::int64_t, 3>& taps, const std::array<std::int64_t, 4>& extent);

}  // namespace sscope::cpu
