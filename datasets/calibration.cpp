#include "datasets/fill.h"
#include "datasets/generators.h"

namespace sscope::generate {

// A point, a line and an edge of height 1000 on zero, each in a part of its own: a filter's answer to them is its
// point, line and edge spread function. With h = n / 2 and q = n / 4:
//   y <  h: edge, 1000 where x >= h        y >= h: line along z at (q, h + q); point at (h + q, h + q, h)
Volume calibration(std::int64_t size, std::uint64_t, const Control& control) {
  constexpr double kHeight = 1000;
  const std::int64_t half = size / 2, quarter = size / 4;
  Volume volume = centeredVolume(size, 3, ElementType::f32, {64, 64, 64});
  fill<float>(volume, control, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    if (y < half) return x >= half ? kHeight : 0.0;
    if (y != half + quarter) return 0.0;
    const bool line = x == quarter, point = x == half + quarter && z == half;
    return line || point ? kHeight : 0.0;
  });
  return volume;
}

}  // namespace sscope::generate
