#include "datasets/exact_math.h"
#include "datasets/fill.h"
#include "datasets/generators.h"

namespace sscope::generate {

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

}  // namespace sscope::generate
