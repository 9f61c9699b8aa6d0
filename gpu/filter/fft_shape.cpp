#include "gpu/filter/fft_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sscope {

namespace {

constexpr std::array<std::int64_t, 4> kLengths{16, 32, 64, 128};

// In dense multiply-adds, measured on an H100 (docs/dev/performance-notes.md): for each point of a pair of tiles and
// doubling of its points, there and back; for each point looked at beforehand; for each point and slice of taps; and
// for moving a point through memory.
constexpr double kPerDoubling = 8.2, kPerLook = 85, kPerSlice = 8, kPerMove = 60;
// A run waits for what was found in the data, and starts more kernels than sums do: 50 microseconds there.
constexpr double kPerRun = 1.2e9;
// Groups that need more local memory have few beside them, or none, that compute while they wait.
constexpr std::int64_t kRoomy = 33 << 10, kAlone = 100 << 10;
constexpr double kCrowded = 1.15, kOnItsOwn = 1.8;
// Two lines of 8 points in each stage.
constexpr std::int64_t kPointsOfItem = 16, kMostItems = 512, kLeastItems = 16;

FftShape costOf(FftShape shape, const std::array<std::int64_t, 3>& taps, const std::array<std::int64_t, 4>& extent,
                Precision precision) {
  const std::int64_t tiles = shape.tilesX(extent[0]) * shape.tilesY(extent[1]) * extent[3];
  const auto pairs = static_cast<double>((tiles + 1) / 2);
  const auto points = static_cast<double>(shape.all()), slices = static_cast<double>(extent[2]);
  const double loaded = slices + static_cast<double>(taps[2] - 1), doublings = std::log2(points);
  const std::int64_t local = shape.localBytes(precision == Precision::f32 ? 4 : 8);
  const double crowded = local > kAlone ? kOnItsOwn : local > kRoomy ? kCrowded : 1;
  double each = crowded * (kPerDoubling * doublings * (loaded + slices) + 2 * kPerLook * loaded);
  double operations = 5 * doublings * (loaded + slices) + 6 * slices;
  if (taps[2] > 1) {
    each += (kPerSlice * static_cast<double>(taps[2]) + 2 * kPerMove) * slices + kPerMove * loaded;
    operations += (8 * static_cast<double>(taps[2]) - 6) * slices;
  }
  shape.multiplyAdds = kPerRun + pairs * points * each;
  shape.operations = pairs * points * operations;
  return shape;
}

}  // namespace

std::array<std::int64_t, 2> fftRadices(std::int64_t points) {
  switch (points) {
    case 16: return {4, 4};
    case 32: return {4, 8};
    case 64: return {8, 8};
    default: return {16, 8};
  }
}

bool fftTakesOnDevices(const std::array<std::int64_t, 3>& taps) {
  return taps[0] <= kMostFftTaps[0] && taps[1] <= kMostFftTaps[1] && taps[2] <= kMostFftTaps[2];
}

std::optional<FftShape> fftShape(const std::array<std::int64_t, 3>& taps, const std::array<std::int64_t, 4>& extent,
                                 Precision precision, std::int64_t mostLocalBytes, std::int64_t largestGroup) {
  std::optional<FftShape> best;
  if (!fftTakesOnDevices(taps)) return best;
  for (const std::int64_t x : kLengths)
    for (const std::int64_t y : kLengths) {
      FftShape shape;
      shape.points = {x, y};
      shape.outputs = {x - taps[0] + 1, y - taps[1] + 1};
      if (shape.outputs[0] < 1 || shape.outputs[1] < 1) continue;
      shape.items = kMostItems;
      while (shape.items > kLeastItems && shape.items > std::min(largestGroup, shape.all() / kPointsOfItem))
        shape.items /= 2;
      // The kernel that looks at a tile first needs a few rows more, and sums by item.
      const std::int64_t more = (2 * y + 2 * shape.items) * (precision == Precision::f32 ? 4 : 8);
      if (shape.localBytes(precision == Precision::f32 ? 4 : 8) + more > mostLocalBytes) continue;
      shape = costOf(shape, taps, extent, precision);
      if (!best || shape.multiplyAdds < best->multiplyAdds) best = shape;
    }
  return best;
}

std::optional<FftShape> fftShape(const std::array<std::int64_t, 3>& taps, const std::array<std::int64_t, 4>& extent,
                                 Precision precision, const DeviceProperties& device) {
  const std::int64_t most = device.largestDynamicLocal > 0 ? device.largestDynamicLocal : device.localBytes;
  return fftShape(taps, extent, precision, most, device.largestGroup);
}

}  // namespace sscope
