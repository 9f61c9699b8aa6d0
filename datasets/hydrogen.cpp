#include <cmath>

#include "datasets/exact_math.h"
#include "datasets/fill.h"
#include "datasets/generators.h"

namespace sscope::generate {

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

}  // namespace sscope::generate
