#include "core/wavelet/spectral_factor.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace sscope {

namespace {

QuadComplex valueAt(const std::vector<Quad>& coefficients, QuadComplex x) {
  QuadComplex sum;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) sum = sum * x + QuadComplex{*c, 0};
  return sum;
}

std::vector<Quad> derivative(const std::vector<Quad>& coefficients) {
  std::vector<Quad> result;
  for (std::size_t k = 1; k < coefficients.size(); ++k)
    result.push_back(coefficients[k] * static_cast<Quad>(static_cast<double>(k)));
  return result;
}

}  // namespace

Quad squareRoot(Quad x) {
  if (x <= 0) return 0;
  Quad root = static_cast<Quad>(std::sqrt(static_cast<double>(x)));
  for (int i = 0; i < 3; ++i) root = (root + x / root) / 2;
  return root;
}

QuadComplex squareRoot(QuadComplex a) {
  const Quad magnitude = squareRoot(squaredMagnitude(a));
  const Quad re = squareRoot((magnitude + a.re) / 2), im = squareRoot((magnitude - a.re) / 2);
  return {re, a.im < 0 ? -im : im};
}

std::vector<QuadComplex> polynomialRoots(const std::vector<Quad>& coefficients) {
  const std::size_t degree = coefficients.size() - 1;
  const QuadComplex leading{coefficients.back(), 0};
  // The usual initial values: powers of a number that is neither real nor a root of unity.
  std::vector<QuadComplex> roots(degree);
  QuadComplex power{1, 0};
  for (QuadComplex& root : roots) root = power = power * QuadComplex{Quad(4) / 10, Quad(9) / 10};
  for (int iteration = 0; iteration < 500; ++iteration) {
    Quad moved = 0;
    for (std::size_t i = 0; i < degree; ++i) {
      QuadComplex step = valueAt(coefficients, roots[i]) / leading;
      for (std::size_t j = 0; j < degree; ++j)
        if (j != i) step = step / (roots[i] - roots[j]);
      roots[i] = roots[i] - step;
      const Quad distance = squaredMagnitude(step);
      moved = distance > moved ? distance : moved;
    }
    if (moved < Quad(1e-30)) break;  // squared: the roots are known to 1e-15, and Newton's steps do the rest
  }
  const std::vector<Quad> slope = derivative(coefficients);
  for (QuadComplex& root : roots)
    for (int step = 0; step < 4; ++step) root = root - valueAt(coefficients, root) / valueAt(slope, root);
  return roots;
}

namespace {

// Zeros that must be kept or mirrored at the unit circle together so that the taps are real: one, or a conjugate pair.
using ZeroGroup = std::vector<QuadComplex>;

// |H(w)|^2 = 2 cos^2N(w/2) P(sin^2(w/2)), P(y) = sum_k C(N-1+k, k) y^k.
std::vector<Quad> daubechiesPolynomial(int order) {
  std::vector<Quad> coefficients{1};
  for (int k = 1; k < order; ++k) coefficients.push_back(coefficients.back() * Quad(order - 1 + k) / Quad(k));
  return coefficients;
}

// y = (2 - z - 1/z) / 4 turns each root y into a pair z, 1/z; the one inside the unit circle.
QuadComplex zeroInside(QuadComplex y) {
  const QuadComplex one{1, 0}, b = one - y - y;
  const QuadComplex s = squareRoot(b * b - one);
  const QuadComplex plus = b + s, minus = b - s;
  return squaredMagnitude(plus) < squaredMagnitude(minus) ? plus : minus;
}

std::vector<ZeroGroup> zeroGroups(int order) {
  std::vector<ZeroGroup> groups;
  if (order == 1) return groups;
  for (QuadComplex y : polynomialRoots(daubechiesPolynomial(order))) {
    if (absolute(y.im) < Quad(1e-20)) {
      y.im = 0;
      groups.push_back({zeroInside(y)});
    } else if (y.im > 0) {
      const QuadComplex z = zeroInside(y);
      groups.push_back({z, {z.re, -z.im}});
    }
  }
  return groups;
}

// `mirrored`: bit g says that group g lies outside the unit circle.
std::vector<QuadComplex> chosenZeros(const std::vector<ZeroGroup>& groups, unsigned mirrored) {
  std::vector<QuadComplex> zeros;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const QuadComplex& z : groups[g]) zeros.push_back((mirrored >> g & 1U) != 0 ? QuadComplex{1, 0} / z : z);
  return zeros;
}

// Root mean square distance of the phase of prod (1 - z e^-iw) from the straight line through its ends at 0 and pi; the
// factor (1 + e^-iw)^N, whose phase is linear, is left out. The same for the mirrored choice.
double phaseDeviation(const std::vector<QuadComplex>& zeros) {
  constexpr int kSamples = 1024;
  std::vector<double> phase(kSamples + 1, 0.0);
  for (const QuadComplex& zero : zeros) {
    const std::complex<double> z(static_cast<double>(zero.re), static_cast<double>(zero.im));
    double last = std::arg(1.0 - z), turned = -last;
    for (int i = 0; i <= kSamples; ++i) {
      const double angle = std::arg(1.0 - z * std::polar(1.0, -std::numbers::pi * i / kSamples));
      if (angle - last > std::numbers::pi) turned -= 2 * std::numbers::pi;
      if (angle - last < -std::numbers::pi) turned += 2 * std::numbers::pi;
      last = angle;
      phase[static_cast<std::size_t>(i)] += angle + turned;
    }
  }
  double sum = 0;
  for (int i = 0; i <= kSamples; ++i) {
    const double deviation = phase[static_cast<std::size_t>(i)] - phase.back() * i / kSamples;
    sum += deviation * deviation;
  }
  return std::sqrt(sum / (kSamples + 1));
}

std::vector<QuadComplex> leastAsymmetric(const std::vector<ZeroGroup>& groups) {
  // The last group stays inside: mirroring all of them only reverses the taps.
  std::vector<QuadComplex> best = chosenZeros(groups, 0);
  double least = phaseDeviation(best);
  for (unsigned mirrored = 1; mirrored < 1U << (groups.size() - 1); ++mirrored) {
    std::vector<QuadComplex> zeros = chosenZeros(groups, mirrored);
    if (const double deviation = phaseDeviation(zeros); deviation < least) {
      least = deviation;
      best = std::move(zeros);
    }
  }
  return best;
}

// (1 + z)^N prod (z - zero), scaled to the sum sqrt(2); the highest power first.
std::vector<Quad> expanded(int order, const std::vector<QuadComplex>& zeros) {
  std::vector<QuadComplex> product{{1, 0}};
  const auto multiply = [&](QuadComplex constant) {
    product.push_back({0, 0});
    for (std::size_t i = product.size() - 1; i > 0; --i) product[i] = product[i] + product[i - 1] * constant;
  };
  for (int i = 0; i < order; ++i) multiply({1, 0});
  for (const QuadComplex& zero : zeros) multiply({-zero.re, -zero.im});
  Quad sum = 0;
  for (const QuadComplex& c : product) sum += c.re;
  const Quad scale = squareRoot(Quad(2)) / sum;
  std::vector<Quad> taps;
  for (const QuadComplex& c : product) taps.push_back(c.re * scale);
  return taps;
}

// Tables hold either a symlet or its mirror image, without a rule. Those of PyWavelets (and MATLAB) have most of the
// energy in the first half for these orders and in the second half for all others.
bool earlyInTables(int order) { return order == 2 || order == 3 || order == 7; }

bool early(const std::vector<Quad>& taps) {
  Quad center = 0;
  for (std::size_t i = 0; i < taps.size(); ++i) center += taps[i] * taps[i] * Quad(static_cast<double>(i));
  return 2 * center < Quad(static_cast<double>(taps.size() - 1));
}

}  // namespace

std::vector<Quad> orthogonalLowPass(int order, PhaseChoice choice) {
  const std::vector<ZeroGroup> groups = zeroGroups(order);
  if (choice == PhaseChoice::Minimum || groups.empty()) return expanded(order, chosenZeros(groups, 0));
  std::vector<Quad> taps = expanded(order, leastAsymmetric(groups));
  if (early(taps) != earlyInTables(order)) std::reverse(taps.begin(), taps.end());
  return taps;
}

}  // namespace sscope
