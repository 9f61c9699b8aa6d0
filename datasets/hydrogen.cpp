#include <cmath>

#include "datasets/exact_math.h"
#include "datasets/fill.h"
#include "datasets/generators.h"

namespace sscope::generate {

// Probability density of the hydrogen state n = 4, l = 2, m = 0 (quantization along z):
//   psi ~ rho^2 (6 - rho) exp(-rho / 2) (3 cos^2(theta) - 1),  rho = r / 2 in units of the Bohr radius
// out to 26 Bohr radii, divided by its largest value; a millimeter stands for one Bohr radius.
Volume hydrogen(std::int64_t size, std::uint64_t, const Control& control) {
  constexpr double kReach = 26;  // Bohr radii from the nucleus to the face
  // |psi| is largest on the z axis where d/drho of rho^2 (6 - rho) exp(-rho/2) vanishes: rho = 6 + 2 sqrt(3) (outer
  // lobe) or 6 - 2 sqrt(3) (inner); the inner one is the larger in the density.
  const auto amplitude = [](double rho, double angular) {
    return rho * rho * (6 - rho) * exact::expNegative(rho / 2) * angular;
  };
  const double inner = amplitude(6 - 2 * std::sqrt(3.0), 2), outer = amplitude(6 + 2 * std::sqrt(3.0), 2);
  const double peak = std::max(inner * inner, outer * outer);
  Volume volume = centeredVolume(size, 3, ElementType::f32, {2 * kReach, 2 * kReach, 2 * kReach});
  fill<float>(volume, control, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const double x = kReach * centered(i, size), y = kReach * centered(j, size), z = kReach * centered(k, size);
    const double r2 = x * x + y * y + z * z;
    const double angular = r2 > 0 ? 3 * z * z / r2 - 1 : 0;
    const double psi = amplitude(std::sqrt(r2) / 2, angular);
    return psi * psi / peak;
  });
  return volume;
}

}  // namespace sscope::generate
