// Samples from closed formulas: test charts, the calibration object, a gyroid, an orbital, the signal of Marschner and
// Lobb.

#include <algorithm>
#include <cmath>

#include "datasets/exact_math.h"
#include "datasets/generators.h"

namespace sscope::generate {

// A point, a line and an edge of height 1000 on zero, each in a part of its own: a filter's response to them is its
// point, line and edge spread function. With h = n / 2 and q = n / 4: y <  h: edge, 1000 where x >= h        y >= h:
// line along z at (q, h + q); point at (h + q, h + q, h)
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

// Fresnel's zone plate, 0.5 + 0.5 cos(pi r^2 / n): the local frequency is r / n cycles per pixel and reaches Nyquist's
// limit, one half, where the circle touches the border; the corners show what lies beyond.
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

// Schoen's minimal surface (NASA TN D-5541, 1970) to first order: sin x cos y + sin y cos z + sin z cos x,
// three periods an edge; the zero level is the surface, values lie within -1.5..1.5.
Volume gyroid(std::int64_t size, std::uint64_t, const Control& control) {
  constexpr double kPeriods = 3;
  Volume volume = centeredVolume(size, 3, ElementType::f32, {30, 30, 30});
  fill<float>(volume, control, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    using exact::cosTurns, exact::sinTurns;
    const double half = kPeriods / 2;
    const double x = half * centered(i, size), y = half * centered(j, size), z = half * centered(k, size);
    return sinTurns(x) * cosTurns(y) + sinTurns(y) * cosTurns(z) + sinTurns(z) * cosTurns(x);
  });
  return volume;
}

// Probability density of the hydrogen state n = 3, l = 2, m = 0 (quantization along z), divided by its largest value:
//   psi ~ (2 z^2 - x^2 - y^2) exp(-r / 3),  lengths in Bohr radii
// out to 20 Bohr radii; a millimeter stands for one. The density is largest on the z axis at r = 6, the ring about the
// waist has a quarter of that.
Volume hydrogen(std::int64_t size, std::uint64_t, const Control& control) {
  constexpr double kReach = 20;  // Bohr radii from the nucleus to the face
  const double peak = 2 * 6 * 6 * exact::expNegative(2);
  Volume volume = centeredVolume(size, 3, ElementType::f32, {2 * kReach, 2 * kReach, 2 * kReach});
  fill<float>(volume, control, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const double x = kReach * centered(i, size), y = kReach * centered(j, size), z = kReach * centered(k, size);
    const double psi = (2 * z * z - x * x - y * y) * exact::expNegative(std::sqrt(x * x + y * y + z * z) / 3);
    return psi * psi / (peak * peak);
  });
  return volume;
}

// Marschner and Lobb, "An evaluation of reconstruction filters for volume rendering" (1994), section 4:
//   rho = (1 - sin(pi z / 2) + a (1 + rho_r(r))) / (2 (1 + a)),  rho_r(r) = cos(2 pi f cos(pi r / 2))
// on -1..1 cubed with a = 0.25 and f = 6; 40 samples an axis are just above the Nyquist rate.
Volume marschnerLobb(std::int64_t size, std::uint64_t, const Control& control) {
  constexpr double kAmplitude = 0.25, kFrequency = 6;
  Volume volume = centeredVolume(size, 3, ElementType::f32, {64, 64, 64});
  fill<float>(volume, control, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const double x = centered(i, size), y = centered(j, size), z = centered(k, size);
    const double ripple = exact::cosTurns(kFrequency * exact::cosTurns(std::sqrt(x * x + y * y) / 4));
    return (1 - exact::sinTurns(z / 4) + kAmplitude * (1 + ripple)) / (2 * (1 + kAmplitude));
  });
  return volume;
}

}  // namespace sscope::generate
