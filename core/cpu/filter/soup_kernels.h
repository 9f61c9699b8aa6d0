#pragma once
// The inner loops of the tuned 5 x 5 convolution of 8-bit images, compiled once per instruction set.

#include <array>
#include <cstdint>

#include "core/cpu/run/simd_level.h"

namespace sscope::cpu {

inline constexpr std::int64_t kSoupRows = 4, kSoupTaps = 5;

// Taps for four rows of outputs: packed[half][row][column] holds one signed byte for each of the four input rows of a
// half, the first in the lowest byte.
struct SoupTaps {
  std::array<std::array<std::array<std::int32_t, kSoupTaps>, kSoupRows>, 2> packed{};
  float scale = 1;
};
// Packs 25 taps in -64..64, row by row; in this range sums of two products fit into 16 bits.
[[nodiscard]] SoupTaps packSoupTaps(const std::array<int, 25>& taps, float scale);

// Eight rows of input in two quads of four: byte 4 x + r of a quad is row r at column x. Output x of row r needs
// columns x .. x + 4 and rows r .. r + 4.
struct SoupBand {
  std::array<const std::uint8_t*, 2> quad{};
  const SoupTaps* taps = nullptr;
  std::int64_t count = 0;  // outputs of a row, a multiple of the step
  std::array<std::uint8_t*, kSoupRows> out{};
};

struct SoupKernels {
  std::int64_t step = 1;  // outputs along x that are computed at once
  void (*interleave)(const std::array<const std::uint8_t*, kSoupRows>& rows, std::int64_t count,
                     std::uint8_t* quad) = nullptr;
  void (*convolve)(const SoupBand& band) = nullptr;
};

// The kernels of an available level (absentReason() empty).
[[nodiscard]] const SoupKernels& soupKernels(SimdLevel level);
[[nodiscard]] const SoupKernels& scalarSoupKernels();

}  // namespace sscope::cpu
