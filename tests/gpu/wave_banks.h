#pragma once
// Separable filters with lines in common, as gradients have.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/filter/operator.h"

namespace sscope::test {

// No two of different `kind` are alike.
inline AxisTaps wave(std::int64_t size, std::int64_t anchor, int kind) {
  if (size == 1) return {};
  AxisTaps taps{{}, anchor};
  taps.weights.clear();
  for (std::int64_t i = 0; i < size; ++i)
    taps.weights.push_back(0.3 * std::sin(1.0 + kind + static_cast<double>(i)) / static_cast<double>(size) + 0.02);
  return taps;
}

inline Operator product(const std::string& name, const AxisTaps& x, const AxisTaps& y, const AxisTaps& z) {
  Stencil stencil;
  stencil.terms = {{{x, y, z}}};
  return {name, stencil};
}

// Smooths along two axes and differs along one; all lines of one kind are alike.
inline std::vector<Operator> gradient(std::int64_t size) {
  const AxisTaps smooth = wave(size, size / 2, 0), slope = wave(size, size / 2, 1);
  return {product("x", slope, smooth, smooth), product("y", smooth, slope, smooth),
          product("z", smooth, smooth, slope)};
}

}  // namespace sscope::test
