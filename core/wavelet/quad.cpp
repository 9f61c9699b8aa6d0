#include "core/wavelet/quad.h"

#include <cmath>

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
  // The usual start: powers of a number that is neither real nor a root of unity.
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

}  // namespace sscope
