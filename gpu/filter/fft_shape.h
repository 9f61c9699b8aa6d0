#pragma once
// The tiles in which devices filter by Fourier transforms (fft_tile.kernel), and what they cost.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/filter/stencil.h"
#include "core/workload/workload.h"
#include "gpu/device/device.h"

namespace sscope {

// Filters with more taps are not transformed: along x and y too few outputs of a tile would be left, and the sums along
// z, whose number is a compile-time constant, stay in registers.
inline constexpr std::array<std::int64_t, 3> kMostFftTaps{64, 64, 33};

struct FftShape {
  std::array<std::int64_t, 2> points{};   // of a tile
  std::array<std::int64_t, 2> outputs{};  // points - taps + 1
  std::int64_t items = 256;               // of a work-group
  double multiplyAdds = 0;                // dense multiply-adds that take as long as all tiles
  double operations = 0;                  // executed

  [[nodiscard]] std::int64_t all() const { return points[0] * points[1]; }
  // Real and imaginary parts.
  [[nodiscard]] std::int64_t localBytes(std::int64_t realBytes) const { return 2 * all() * realBytes; }
  [[nodiscard]] std::int64_t tilesX(std::int64_t width) const { return (width + outputs[0] - 1) / outputs[0]; }
  [[nodiscard]] std::int64_t tilesY(std::int64_t height) const { return (height + outputs[1] - 1) / outputs[1]; }
};

// The two radices of a line's stages, in the order of the forward transform.
[[nodiscard]] std::array<std::int64_t, 2> fftRadices(std::int64_t points);

[[nodiscard]] bool fftTakesOnDevices(const std::array<std::int64_t, 3>& taps);

// The cheapest tile for outputs of `extent` (x, y, z, components) among those whose work-groups need no more than
// `mostLocalBytes` and `largestGroup` items. Empty where there is none.
[[nodiscard]] std::optional<FftShape> fftShape(const std::array<std::int64_t, 3>& taps,
                                               const std::array<std::int64_t, 4>& extent, Precision precision,
                                               std::int64_t mostLocalBytes, std::int64_t largestGroup);
[[nodiscard]] std::optional<FftShape> fftShape(const std::array<std::int64_t, 3>& taps,
                                               const std::array<std::int64_t, 4>& extent, Precision precision,
                                               const DeviceProperties& device);

// The taps in the form that the kernels of filters by Fourier transforms read.

// For the stages of x, then for those of y: see twiddle() in fft_common.h.
[[nodiscard]] std::vector<double> fftTwiddles(const FftShape& shape);

// The transforms of the slices of the taps, each its real parts, then its imaginary parts, frequencies in the order of
// fft_common.h: conjugated, because filters correlate, and divided by the number of points, because transforms back are
// not.
[[nodiscard]] std::vector<double> fftTapSpectra(const DenseTaps& taps, const FftShape& shape);

// The taps' side of the judgment whether a tile may be transformed (fft_judge.kernel).
struct FftTapScale {
  std::int64_t beginX = 0, beginY = 0, sizeX = 1,
               sizeY = 1;      // a window in each slice, without small weights at its edges
  std::vector<double> tables;  // as fft_judge.kernel reads them; NaN if no tile may be transformed
};
[[nodiscard]] FftTapScale fftTapScale(const DenseTaps& taps, Precision precision);

}  // namespace sscope
