#include "core/filter/laboratory/unit_taps.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sscope {

namespace {

// e where the largest magnitude is within 2^(e - 1)..2^e; nothing where all are 0 or one is not finite.
std::optional<int> exponentOf(const std::vector<double>& weights) {
  double largest = 0;
  for (const double weight : weights) {
    if (!std::isfinite(weight)) return std::nullopt;
    largest = std::max(largest, std::abs(weight));
  }
  if (largest == 0) return std::nullopt;
  int exponent = 0;
  static_cast<void>(std::frexp(largest, &exponent));
  return exponent;
}

void scale(std::vector<double>& weights, int exponent) {
  for (double& weight : weights) weight = std::ldexp(weight, exponent);
}

// Of the product; nothing as above.
std::optional<int> exponentOf(const SeparableTerm& term) {
  int sum = 0;
  for (const AxisTaps& axis : term.axis) {
    const auto one = exponentOf(axis.weights);
    if (!one) return std::nullopt;
    sum += *one;
  }
  return sum;
}

bool finite(const Stencil& filter) {
  const auto known = [](double weight) { return std::isfinite(weight); };
  for (const SeparableTerm& term : filter.terms)
    for (const AxisTaps& axis : term.axis)
      if (!std::ranges::all_of(axis.weights, known)) return false;
  return filter.separable() || std::ranges::all_of(filter.dense.weights, known);
}

}  // namespace

UnitTaps unitTaps(Stencil filter) {
  UnitTaps unit{std::move(filter), 0};
  Stencil& taps = unit.taps;
  if (!finite(taps)) return unit;
  if (!taps.separable()) {
    const auto exponent = exponentOf(taps.dense.weights);
    unit.some = exponent.has_value();
    unit.exponent = exponent.value_or(0);
    scale(taps.dense.weights, -unit.exponent);
    return unit;
  }
  std::optional<int> largest;
  for (const SeparableTerm& term : taps.terms)
    if (const auto one = exponentOf(term)) largest = std::max(largest.value_or(*one), *one);
  unit.some = largest.has_value();
  unit.exponent = largest.value_or(0);
  for (SeparableTerm& term : taps.terms) {
    const auto whole = exponentOf(term);
    if (!whole) continue;  // all 0
    for (AxisTaps& axis : term.axis) scale(axis.weights, -*exponentOf(axis.weights));
    scale(term.axis[0].weights, *whole - unit.exponent);
  }
  return unit;
}

UnitTaps ordinaryTaps(const Stencil& filter) {
  UnitTaps unit = unitTaps(filter);
  return std::abs(unit.exponent) > kOrdinaryExponent ? unit : UnitTaps{filter, 0, unit.some};
}

}  // namespace sscope
