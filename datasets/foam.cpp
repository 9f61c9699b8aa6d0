#include <array>
#include <cmath>

#include "datasets/exact_math.h"
#include "datasets/generators.h"
#include "datasets/hash_noise.h"

namespace sscope::generate {

namespace {

// Distances to the three nearest of a random set of points, one a unit cell (Worley, "A cellular texture basis
// function", 1996). The first and third are equal on the edges of the cells: the struts of an open foam.
std::array<double, 3> nearest(std::uint64_t seed, double x, double y, double z) {
  std::array<double, 3> best{1e9, 1e9, 1e9};  // squared, ascending
  const auto cx = static_cast<std::int64_t>(std::floor(x)), cy = static_cast<std::int64_t>(std::floor(y)),
             cz = static_cast<std::int64_t>(std::floor(z));
  for (std::int64_t k = cz - 1; k <= cz + 1; ++k)
    for (std::int64_t j = cy - 1; j <= cy + 1; ++j)
      for (std::int64_t i = cx - 1; i <= cx + 1; ++i) {
        const std::uint64_t h = noise::hash(seed, i, j, k);
        // Twenty-one bits per axis place the point in the middle of its cell, so that no cell is tiny.
        const auto offset = [&](int shift) {
          return 0.1 + 0.8 * static_cast<double>((h >> shift) & 0x1FFFFFU) * 0x1p-21;
        };
        const double dx = static_cast<double>(i) + offset(0) - x, dy = static_cast<double>(j) + offset(21) - y,
                     dz = static_cast<double>(k) + offset(42) - z;
        const double d = dx * dx + dy * dy + dz * dz;
        if (d < best[0]) {
          best = {d, best[0], best[1]};
        } else if (d < best[1]) {
          best = {best[0], d, best[1]};
        } else if (d < best[2]) {
          best[2] = d;
        }
      }
  return {std::sqrt(best[0]), std::sqrt(best[1]), std::sqrt(best[2])};
}

// Three octaves, 0..1.
double texture(std::uint64_t seed, double x, double y, double z) {
  return (4 * noise::value(seed, x, y, z) + 2 * noise::value(seed + 1, 2 * x, 2 * y, 2 * z) +
          noise::value(seed + 2, 4 * x, 4 * y, 4 * z)) /
         7;
}

}  // namespace

Volume foam(std::int64_t size, std::uint64_t seed, const Control& control) {
  constexpr double kCells = 3.6;       // across x and y
  constexpr double kSliceRatio = 1.5;  // slices are thicker than pixels, as in many scans
  constexpr double kGas = 24, kMatter = 190, kNoise = 5;
  Volume volume = centeredVolume(size, 3, ElementType::u8, {9, 9, 9 * kSliceRatio});
  const std::uint64_t points = noise::mix(seed), grain = noise::mix(points);
  fill<std::uint8_t>(volume, control, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const double x = kCells / 2 * centered(i, size), y = kCells / 2 * centered(j, size),
                 z = kSliceRatio * kCells / 2 * centered(k, size);
    const auto d = nearest(points, x, y, z);
    const double strut = 1 - exact::smoothStep(0.11, 0.2, d[2] - d[0]);
    const double film = 0.25 * (1 - exact::smoothStep(0.02, 0.06, d[1] - d[0]));
    double matter = strut > film ? strut : film;
    if (matter > 0) matter *= 0.55 + 0.7 * texture(grain, 9 * x, 9 * y, 9 * z);
    return kGas + kMatter * matter + kNoise * noise::normal(noise::hash(seed, i, j, k));
  });
  return volume;
}

}  // namespace sscope::generate
