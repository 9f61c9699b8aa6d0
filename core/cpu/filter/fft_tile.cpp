#include "core/cpu/filter/fft_tile.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/base/divide_up.h"

namespace sscope::cpu {

namespace {

struct Radices {
  std::int64_t length;
  std::array<int, 3> radix;
  int stages;
};

// Few stages, because each reads and writes everything once.
constexpr std::array<Radices, 11> kRadices{{{8, {8}, 1},
                                            {16, {4, 4}, 2},
                                            {24, {3, 8}, 2},
                                            {32, {4, 8}, 2},
                                            {48, {3, 4, 4}, 3},
                                            {64, {8, 8}, 2},
                                            {96, {3, 4, 8}, 3},
                                            {128, {4, 4, 8}, 3},
                                            {192, {3, 8, 8}, 3},
                                            {256, {4, 8, 8}, 3},
                                            {kLongestTransform, {8, 8, 8}, 3}}};

}  // namespace

std::span<const std::int64_t> fftLengths() {
  static const auto lengths = [] {
    std::array<std::int64_t, kRadices.size() - 1> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = kRadices[i].length;
    return all;
  }();
  return lengths;
}

template <class T>
FftAxis<T> FftAxis<T>::of(std::int64_t length) {
  FftAxis axis;
  axis.length = length;
  if (length == 1) return axis;
  const Radices& row = *std::ranges::find(kRadices, length, &Radices::length);
  axis.radix = row.radix;
  axis.stages = row.stages;
  std::int64_t block = length;
  for (int s = 0; s + 1 < axis.stages; ++s) {
    const std::int64_t radix = axis.radix[static_cast<std::size_t>(s)];
    for (std::int64_t k = 0; k < block / radix; ++k)
      for (std::int64_t j = 1; j < radix; ++j) {
        const double angle = -2 * std::numbers::pi * static_cast<double>(j * k) / static_cast<double>(block);
        axis.twiddles.push_back(static_cast<T>(std::cos(angle)));
        axis.twiddles.push_back(static_cast<T>(std::sin(angle)));
      }
    block /= radix;
  }
  return axis;
}

template struct FftAxis<float>;
template struct FftAxis<double>;

namespace {

// Largest tile: real and imaginary parts of 2 MiB in f32.
constexpr std::int64_t kMostPoints = 1 << 18;

// In dense multiply-adds, from measured tiles of 64 to 256 points along two axes and of 32 to 64 along three, with 7 to
// 27 taps along each (docs/dev/performance-notes.md): what the stages cost for each point and doubling of the points,
// which is more where tile and spectrum leave the second-level cache, and what loading, looking at the numbers and
// storing cost for each output: more in volumes, whose tiles have more points around their outputs, and whose sums have
// three axes.
constexpr double kPerDoubling = 8.5, kBeyondCache = 1.2, kPerOutput = 60, kPerOutputOfVolumes = 145;
constexpr std::int64_t kMostInCache = 1 << 15;
// Shares of what filters with the same tiles have in common: the stages forward, and of the rest packing and looking.
constexpr double kForward = 0.5, kLoading = 0.67;
// Some tiles are summed after all.
constexpr double kInVain = 1.15;

std::vector<std::int64_t> lengths(std::size_t axis, std::int64_t taps) {
  std::vector<std::int64_t> fit;
  if (axis == 2 && taps == 1) fit.push_back(1);
  for (const std::int64_t length : fftLengths())
    if (length >= taps && (axis == 2 || length % 16 == 0)) fit.push_back(length);
  return fit;
}

// All tiles of one length.
FftTile costOf(const std::array<std::int64_t, 3>& length, const std::array<std::int64_t, 3>& taps,
               const std::array<std::int64_t, 4>& extent) {
  FftTile tile;
  tile.length = length;
  auto tiles = static_cast<double>(extent[3]);
  for (std::size_t a = 0; a < 3; ++a) {
    tile.outputs[a] = length[a] - taps[a] + 1;
    tiles *= static_cast<double>(divideUp(extent[a], tile.outputs[a]));
  }
  const auto points = static_cast<double>(tile.points());
  const double all = std::ceil(tiles / 2) * points, doublings = std::log2(points);
  const auto outputs = static_cast<double>(extent[0] * extent[1]) * static_cast<double>(extent[2] * extent[3]);
  const bool volume = taps[0] > 1 && taps[1] > 1 && taps[2] > 1;
  const double stages = all * kPerDoubling * doublings * (tile.points() > kMostInCache ? kBeyondCache : 1);
  const double around = outputs * (volume ? kPerOutputOfVolumes : kPerOutput);
  tile.multiplyAdds = kInVain * (stages + around);
  tile.sharedMultiplyAdds = kInVain * (kForward * stages + kLoading * around);
  tile.sharedOperations = all * 5 * doublings;
  tile.operations = all * (10 * doublings + 6);  // there and back, and a complex product
  return tile;
}

}  // namespace

bool fftTakes(const std::array<std::int64_t, 3>& taps) {
  const auto fits = [](std::int64_t x, std::int64_t y, std::int64_t z) {
    return fftTile({x, y, z}, {1, 1, 1, 1}).points() > 0;
  };
  return fits(taps[0], taps[1], taps[2]) && fits(taps[0], taps[2], taps[1]) && fits(taps[1], taps[2], taps[0]);
}

FftTile fftTile(const std::array<std::int64_t, 3>& taps, const std::array<std::int64_t, 4>& extent) {
  FftTile best;
  for (const std::int64_t x : lengths(0, taps[0]))
    for (const std::int64_t y : lengths(1, taps[1]))
      for (const std::int64_t z : lengths(2, taps[2])) {
        if (x * y * z > kMostPoints) continue;
        const FftTile tile = costOf({x, y, z}, taps, extent);
        if (best.points() == 0 || tile.multiplyAdds < best.multiplyAdds) best = tile;
      }
  return best;
}

}  // namespace sscope::cpu
