// cpu:scalar's part of the tuned soup: one output at a time, compiled with automatic vectorization off.

#include <algorithm>
#include <cmath>

#include "core/cpu/filter/soup_kernels.h"

namespace sscope::cpu {

SoupTaps packSoupTaps(const std::array<int, 25>& taps, float scale) {
  SoupTaps result;
  result.scale = scale;
  for (std::int64_t row = 0; row < kSoupRows; ++row)
    for (std::int64_t q = row; q < row + kSoupTaps; ++q)
      for (std::int64_t i = 0; i < kSoupTaps; ++i) {
        const int tap = taps[static_cast<std::size_t>((q - row) * kSoupTaps + i)];
        auto& packed = result.packed[static_cast<std::size_t>(q / 4)][static_cast<std::size_t>(row)];
        const auto byte = static_cast<std::uint32_t>(static_cast<std::uint8_t>(static_cast<std::int8_t>(tap)));
        packed[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(
            static_cast<std::uint32_t>(packed[static_cast<std::size_t>(i)]) | byte << (8 * (q % 4)));
      }
  return result;
}

namespace {

void interleave(const std::array<const std::uint8_t*, kSoupRows>& rows, std::int64_t count, std::uint8_t* quad) {
  for (std::int64_t x = 0; x < count; ++x)
    for (std::size_t r = 0; r < rows.size(); ++r) quad[4 * x + static_cast<std::int64_t>(r)] = rows[r][x];
}

std::int32_t dot(const std::uint8_t* values, std::int32_t taps) {
  const auto packed = static_cast<std::uint32_t>(taps);
  std::int32_t sum = 0;
  for (int i = 0; i < 4; ++i) sum += values[i] * static_cast<std::int8_t>(packed >> (8 * i));
  return sum;
}

void convolve(const SoupBand& band) {
  for (std::size_t r = 0; r < band.out.size(); ++r)
    for (std::int64_t x = 0; x < band.count; ++x) {
      std::int32_t sum = 0;
      for (std::size_t half = 0; half < 2; ++half)
        for (std::int64_t i = 0; i < kSoupTaps; ++i)
          sum += dot(band.quad[half] + 4 * (x + i), band.taps->packed[half][r][static_cast<std::size_t>(i)]);
      const float value = std::nearbyint(static_cast<float>(sum) * band.taps->scale);
      band.out[r][x] = static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F));
    }
}

}  // namespace

const SoupKernels& scalarSoupKernels() {
  static const SoupKernels kernels{1, interleave, convolve};
  return kernels;
}

}  // namespace sscope::cpu
