#pragma once
// Stateless noise: each voxel hashes its own coordinates, so the result does not depend on threads or order.

#include <cmath>
#include <cstdint>

namespace sscope::noise {

// SplitMix64's finalizer (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

[[nodiscard]] constexpr std::uint64_t hash(std::uint64_t seed, std::int64_t x, std::int64_t y, std::int64_t z) {
  std::uint64_t h = mix(seed + static_cast<std::uint64_t>(z));
  h = mix(h + static_cast<std::uint64_t>(y));
  return mix(h + static_cast<std::uint64_t>(x));
}

// 0 <= u < 1 from 53 bits.
[[nodiscard]] constexpr double uniform(std::uint64_t h) { return static_cast<double>(h >> 11) * 0x1p-53; }

// Mean 0, standard deviation 1, nearly normal: eight 16-bit uniform numbers added, exactly, as integers.
[[nodiscard]] inline double normal(std::uint64_t h) {
  std::int64_t sum = 0;
  for (const std::uint64_t bits : {h, mix(h)})
    for (int shift = 0; shift < 64; shift += 16) sum += static_cast<std::int64_t>((bits >> shift) & 0xFFFFU);
  return static_cast<double>(2 * sum - 8 * 0xFFFF) / 0x20000 * std::sqrt(1.5);
}

// Smooth noise between 0 and 1: random values at the integer points, a cubic between them.
[[nodiscard]] inline double value(std::uint64_t seed, double x, double y, double z) {
  const double fx = std::floor(x), fy = std::floor(y), fz = std::floor(z);
  const auto ix = static_cast<std::int64_t>(fx), iy = static_cast<std::int64_t>(fy), iz = static_cast<std::int64_t>(fz);
  const auto ease = [](double t) { return t * t * (3 - 2 * t); };
  const auto mixed = [](double a, double b, double t) { return a + (b - a) * t; };
  const double tx = ease(x - fx), ty = ease(y - fy), tz = ease(z - fz);
  const auto corner = [&](int dx, int dy, int dz) { return uniform(hash(seed, ix + dx, iy + dy, iz + dz)); };
  const auto row = [&](int dy, int dz) { return mixed(corner(0, dy, dz), corner(1, dy, dz), tx); };
  return mixed(mixed(row(0, 0), row(1, 0), ty), mixed(row(0, 1), row(1, 1), ty), tz);
}

}  // namespace sscope::noise
