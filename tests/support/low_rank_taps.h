#pragma once
// Dense taps that are sums of few separable terms.

#include <array>
#include <cmath>
#include <random>

#include "core/filter/workload/filter_workload.h"
#include "core/volume/volume.h"

namespace sscope::test {

template <class Tap>
[[nodiscard]] Stencil tapsOf(const std::array<std::int64_t, 3>& size, const std::array<std::int64_t, 3>& anchor,
                             Tap&& tap) {
  Stencil stencil;
  stencil.dense = {size, anchor, {}};
  stencil.dense.weights.clear();
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x) {
        const auto from = [](std::int64_t i, std::int64_t n) {
          return static_cast<double>(i) - static_cast<double>(n - 1) / 2;
        };
        stencil.dense.weights.push_back(tap(from(x, size[0]), from(y, size[1]), from(z, size[2])));
      }
  return stencil;
}

// A wave across the axes under a gaussian: two terms in two dimensions, four in three, which cancel near its zeros.
[[nodiscard]] inline Stencil obliqueWave(const std::array<std::int64_t, 3>& size,
                                         const std::array<std::int64_t, 3>& anchor) {
  return tapsOf(size, anchor, [&](double x, double y, double z) {
    return 0.1 * std::cos(0.37 * x + 0.71 * y + 0.53 * z + 0.2) *
           std::exp(-4 *
                    (x * x / static_cast<double>(size[0] * size[0]) + y * y / static_cast<double>(size[1] * size[1]) +
                     z * z / static_cast<double>(size[2] * size[2])));
  });
}

// A bump on a plateau: positive taps, two terms in two dimensions, four in three, which hardly cancel.
[[nodiscard]] inline Stencil twoBumps(const std::array<std::int64_t, 3>& size,
                                      const std::array<std::int64_t, 3>& anchor) {
  return tapsOf(size, anchor, [](double x, double y, double z) {
    const double square = x * x + y * y + z * z;
    return 0.01 * (1 + std::exp(-square / 18));
  });
}

// Noise: no sum of few terms.
[[nodiscard]] inline Stencil fullRank(const std::array<std::int64_t, 3>& size,
                                      const std::array<std::int64_t, 3>& anchor) {
  std::mt19937 random(7);
  return tapsOf(size, anchor, [&](double, double, double) { return 0.1 + std::ldexp(random(), -32); });
}

// These taps on data, f32 out, of f64 as precise.
[[nodiscard]] inline FilterWorkload fewTerms(const Stencil& taps, const Volume& input, Boundary boundary,
                                             double constant = 0.75) {
  const ElementType output = input.type() == ElementType::f64 ? ElementType::f64 : ElementType::f32;
  return {{{"taps", taps}}, boundary, constant, input.spec(), output};
}

}  // namespace sscope::test
