// The two flat test charts.

#include <algorithm>
#include <cmath>

#include "datasets/exact_math.h"
#include "datasets/fill.h"
#include "datasets/generators.h"

namespace sscope::generate {

// Fresnel's zone plate, 0.5 + 0.5 cos(pi r^2 / n): the local frequency is r / n cycles a pixel and reaches
// Nyquist's limit, one half, where the circle touches the border; the corners show what lies beyond.
Volume zonePlate(std::int64_t size, std::uint64_t, const Control& control) {
  Volume volume = centeredVolume(size, 2, ElementType::f32, {50, 50, 0});
  fill<float>(volume, control, [&](std::int64_t i, std::int64_t j, std::int64_t) {
    const double x = centered(i, size), y = centered(j, size);
    return 0.5 + 0.5 * exact::cosTurns(static_cast<double>(size) * (x * x + y * y) / 8);
  });
  return volume;
}

// Siemens' star of 36 pairs of spokes, 32 and 224 so that overshoots of sharpening filters still fit.
Volume siemensStar(std::int64_t size, std::uint64_t, const Control& control) {
  constexpr int kSpokes = 36;
  constexpr double kDark = 32, kBright = 224, kRim = 0.94;
  Volume volume = centeredVolume(size, 2, ElementType::u8, {50, 50, 0});
  const double pixels = static_cast<double>(size) / 2;  // from -1..1 to pixels
  fill<std::uint8_t>(volume, control, [&](std::int64_t i, std::int64_t j, std::int64_t) {
    const double x = centered(i, size), y = centered(j, size), r = std::sqrt(x * x + y * y);
    // sin(36 a) as the imaginary part of (cos a + i sin a)^36, with 36 = 32 + 4: no arc tangent is needed.
    double re = r > 0 ? x / r : 1, im = r > 0 ? y / r : 0, re4 = 1, im4 = 0;
    for (int bit = 1; bit < 32; bit *= 2) {
      if (bit == 4) re4 = re, im4 = im;
      const double square = re * re - im * im;
      im = 2 * re * im;
      re = square;
    }
    const double sine = re * im4 + im * re4;
    // Near an edge of a spoke, sine / 36 * r is the distance to it: coverage of the pixel, in 0..1.
    const double spoke = std::clamp(0.5 + pixels * r * sine / kSpokes, 0.0, 1.0);
    const double inside = std::clamp(0.5 + pixels * (kRim - r), 0.0, 1.0);
    return kDark + (kBright - kDark) * (spoke * inside + 0.5 * (1 - inside));
  });
  return volume;
}

}  // namespace sscope::generate
