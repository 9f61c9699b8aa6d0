#include "core/lattice/effective_mass.h"

#include <cmath>
#include <limits>

namespace sscope::lattice {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargestMass = 20;
constexpr int kHalvings = 80;

// The mass between times a and b, counted from the middle, whose values have this ratio; found by bisection, because
// the ratio moves away from 1 as the mass grows.
double massOf(double ratio, double a, double b) {
  // cosh(m a) / cosh(m b), without overflow.
  const auto excess = [&](double m) {
    return std::exp(m * (std::abs(a) - std::abs(b))) * (1 + std::exp(-2 * m * std::abs(a))) /
               (1 + std::exp(-2 * m * std::abs(b))) -
           ratio;
  };
  double low = 0, high = kLargestMass;
  if (!(excess(low) * excess(high) < 0)) return kNone;
  const bool rising = excess(high) > 0;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = (low + high) / 2;
    ((excess(middle) > 0) == rising ? high : low) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

std::vector<double> effectiveMass(const std::vector<double>& correlator) {
  const auto times = static_cast<double>(correlator.size());
  std::vector<double> masses;
  for (std::size_t t = 0; t + 1 < correlator.size(); ++t) {
    const double a = static_cast<double>(t) - times / 2;
    masses.push_back(massOf(correlator[t] / correlator[t + 1], a, a + 1));
  }
  return masses;
}

std::vector<double> logarithmicMass(const std::vector<double>& correlator) {
  std::vector<double> masses;
  for (std::size_t t = 0; t + 1 < correlator.size(); ++t) {
    const double ratio = correlator[t] / correlator[t + 1];
    masses.push_back(ratio > 0 && std::isfinite(ratio) ? std::log(ratio) : kNone);
  }
  return masses;
}

}  // namespace sscope::lattice
