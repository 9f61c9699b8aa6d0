#pragma once
// One function per sample. `size` is at least 1; the seed matters only to samples with noise.

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include "core/base/control.h"
#include "core/volume/volume.h"

namespace sscope::generate {

[[nodiscard]] Volume marschnerLobb(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume sheppLogan(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume gyroid(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume hydrogen(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume foam(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume zonePlate(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume siemensStar(std::int64_t size, std::uint64_t seed, const Control& control);
[[nodiscard]] Volume calibration(std::int64_t size, std::uint64_t seed, const Control& control);

}  // namespace sscope::generate

namespace sscope {

// Fills a volume from a formula, on all cores, with progress and cancellation.

// A cube (or square) of size^dimensions voxels centered on the physical origin. `edge` is the physical length of each
// axis in millimeters, whatever the number of voxels.
[[nodiscard]] Volume centeredVolume(std::int64_t size, int dimensions, ElementType type,
                                    const std::array<double, 3>& edge);

// Calls row(y, z) for every row of the volume, in parallel. Checks for cancellation before each row.
void forEachRow(const VolumeShape& shape, const Control& control,
                const std::function<void(std::int64_t, std::int64_t)>& row);

// The position of the center of voxel i of n in the interval -1..1.
[[nodiscard]] inline double centered(std::int64_t i, std::int64_t n) {
  return static_cast<double>(2 * i + 1 - n) / static_cast<double>(n);
}

// Sets every voxel to value(x, y, z), a double; integers are rounded to nearest and saturated.
template <class T, class Value>
void fill(Volume& volume, const Control& control, const Value& value) {
  const VolumeShape shape = volume.shape();
  const auto elements = volume.elements<T>();
  forEachRow(shape, control, [&](std::int64_t y, std::int64_t z) {
    T* out = elements.data() + (z * shape.ny + y) * shape.nx;
    for (std::int64_t x = 0; x < shape.nx; ++x) {
      const double v = value(x, y, z);
      if constexpr (std::is_integral_v<T>) {
        constexpr double low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
        const double rounded = std::floor(v + 0.5);
        out[x] = static_cast<T>(rounded < low ? low : rounded > high ? high : rounded);
      } else {
        out[x] = static_cast<T>(v);
      }
    }
  });
}

}  // namespace sscope
