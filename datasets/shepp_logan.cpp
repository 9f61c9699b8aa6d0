#include <array>

#include "datasets/exact_math.h"
#include "datasets/generators.h"
#include "datasets/hash_noise.h"

namespace sscope::generate {

namespace {

struct Ellipsoid {
  double density;              // added inside
  std::array<double, 3> axes;  // half lengths
  std::array<double, 3> center;
  double turn;  // degrees about z
};

// The head of Shepp and Logan in three dimensions, with the raised contrast of Toft ("The Radon transform", 1996):
// the table that most reconstruction packages use.
constexpr std::array<Ellipsoid, 10> kHead{{{1.0, {.6900, .920, .810}, {0, 0, 0}, 0},
                                           {-.8, {.6624, .874, .780}, {0, -.0184, 0}, 0},
                                           {-.2, {.1100, .310, .220}, {.22, 0, 0}, -18},
                                           {-.2, {.1600, .410, .280}, {-.22, 0, 0}, 18},
                                           {.1, {.2100, .250, .410}, {0, .35, -.15}, 0},
                                           {.1, {.0460, .046, .050}, {0, .1, .25}, 0},
                                           {.1, {.0460, .046, .050}, {0, -.1, .25}, 0},
                                           {.1, {.0460, .023, .050}, {-.08, -.605, 0}, 0},
                                           {.1, {.0230, .023, .020}, {0, -.606, 0}, 0},
                                           {.1, {.0230, .046, .020}, {.06, -.605, 0}, 0}}};

// Cosine and sine of each ellipsoid's turn.
std::array<std::array<double, 2>, kHead.size()> turns() {
  std::array<std::array<double, 2>, kHead.size()> table{};
  for (std::size_t e = 0; e < kHead.size(); ++e)
    table[e] = {exact::cosTurns(kHead[e].turn / 360), exact::sinTurns(kHead[e].turn / 360)};
  return table;
}

// The density at a point of -1..1 cubed, 0..1.
double density(const std::array<std::array<double, 2>, kHead.size()>& turns, double x, double y, double z) {
  double sum = 0;
  for (std::size_t i = 0; i < kHead.size(); ++i) {
    const Ellipsoid& e = kHead[i];
    const auto [c, s] = turns[i];
    const double dx = x - e.center[0], dy = y - e.center[1], dz = z - e.center[2];
    const double u = (c * dx + s * dy) / e.axes[0], v = (c * dy - s * dx) / e.axes[1], w = dz / e.axes[2];
    if (u * u + v * v + w * w <= 1) sum += e.density;
  }
  return sum;
}

}  // namespace

Volume sheppLogan(std::int64_t size, std::uint64_t seed, const Control& control) {
  constexpr double kAir = 200, kScale = 2000, kNoise = 60;
  Volume volume = centeredVolume(size, 3, ElementType::u16, {220, 220, 220});
  const auto table = turns();
  fill<std::uint16_t>(volume, control, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const double clean = density(table, centered(i, size), -centered(j, size), centered(k, size));
    return kAir + kScale * clean + kNoise * noise::normal(noise::hash(seed, i, j, k));
  });
  return volume;
}

}  // namespace sscope::generate
