#include <cmath>

#include "datasets/exact_math.h"
#include "datasets/fill.h"
#include "datasets/generators.h"

namespace sscope::generate {

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
