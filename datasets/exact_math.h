#pragma once
// Elementary functions with bit-identical results on every machine. The C library's differ in the last place between
// versions and processors; these use only operations that IEEE 754 rounds exactly (+ - * / sqrt floor ldexp), and this
// folder is compiled without contraction into fused multiply-adds. Relative errors stay below 1e-13.

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace sscope::exact {

namespace detail {

// reciprocal[k] turns the term k - 1 of a power series with factorials into the term k: 1 / ((start + step (k - 1) + 1)
// ... (start + step k)).
template <int start, int step, int terms>
inline constexpr auto kReciprocals = [] {
  std::array<double, terms> table{1};
  for (int k = 1; k < terms; ++k) {
    double divisor = 1;
    for (int i = start + step * (k - 1) + 1; i <= start + step * k; ++i) divisor *= i;
    table[static_cast<std::size_t>(k)] = 1 / divisor;
  }
  return table;
}();

// start! sum_k factor^k / (start + step k)!, k = 0..terms-1, by Horner's scheme.
template <int start, int step, int terms>
[[nodiscard]] inline double series(double factor) {
  double sum = 1;
  for (std::size_t k = terms - 1; k > 0; --k) sum = 1 + factor * kReciprocals<start, step, terms>[k] * sum;
  return sum;
}

}  // namespace detail

// sin(2 pi t): angles in turns, so that the range reduction is exact.
[[nodiscard]] inline double sinTurns(double t) {
  t -= std::floor(t + 0.5);  // -0.5 <= t < 0.5
  if (t > 0.25) t = 0.5 - t;
  if (t < -0.25) t = -0.5 - t;
  const double x = 2 * std::numbers::pi * t;
  return x * detail::series<1, 2, 12>(-x * x);
}

// cos(2 pi t).
[[nodiscard]] inline double cosTurns(double t) { return sinTurns(t + 0.25); }

// exp(-t) for t >= 0; 0 beyond the smallest normal number.
[[nodiscard]] inline double expNegative(double t) {
  if (!(t < 700)) return 0;
  const double k = std::floor(t / std::numbers::ln2 + 0.5);
  const double r = t - k * std::numbers::ln2;  // |r| <= ln(2) / 2
  return std::ldexp(detail::series<0, 1, 15>(-r), -static_cast<int>(k));
}

// 0 below `low`, 1 above `high`, a cubic between.
[[nodiscard]] inline double smoothStep(double low, double high, double value) {
  const double t = value <= low ? 0 : value >= high ? 1 : (value - low) / (high - low);
  return t * t * (3 - 2 * t);
}

}  // namespace sscope::exact
