#include "tests/support/taps.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace sscope::test {

namespace {

double weight(std::int64_t i) { return std::sin(1.3 * static_cast<double>(i) + 0.4) + 0.1; }

AxisTaps centered(std::vector<double> weights) {
  const auto anchor = static_cast<std::int64_t>(weights.size()) / 2;
  return {std::move(weights), anchor};
}

// One operator for each pair of axes, which each differ once, or twice where they are the same.
template <class Line>
std::vector<Operator> pairsOfAxes(Line&& line) {
  std::vector<Operator> operators;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = a; b < 3; ++b) {
      std::array<int, 3> order{};
      ++order[a];
      ++order[b];
      operators.push_back(
          product("d" + std::to_string(a) + std::to_string(b), line(order[0]), line(order[1]), line(order[2])));
    }
  return operators;
}

Operator termsFilter(const std::string& name, std::vector<SeparableTerm> terms) {
  Stencil stencil;
  stencil.terms = std::move(terms);
  return {name, stencil};
}

AxisTaps derivativeTaps(double sigma, int order) {
  const auto radius = static_cast<std::int64_t>(std::ceil(3 * sigma));
  AxisTaps taps{{}, radius};
  for (std::int64_t i = -radius; i <= radius; ++i) {
    const double x = static_cast<double>(i) / sigma, factor[] = {1, -x, x * x - 1};
    taps.weights.push_back(factor[order] * std::exp(-x * x / 2));
  }
  return taps;
}

SeparableTerm derivativeTerm(double sigma, const std::array<int, 3>& orders) {
  return {{derivativeTaps(sigma, orders[0]), derivativeTaps(sigma, orders[1]), derivativeTaps(sigma, orders[2])}};
}

}  // namespace

Stencil denseFilter(const Extent& size, const Extent& anchor) {
  std::int64_t i = 0;
  return tapsOf(size, anchor, [&](double, double, double) { return weight(i++); });
}

Stencil faintFilter(const Extent& size, const Extent& anchor) {
  std::int64_t i = 0;
  return tapsOf(size, anchor, [&](double, double, double) {
    return std::sin(1.7 * static_cast<double>(i++) + 0.3) / static_cast<double>(size[0] * size[1] * size[2]);
  });
}

Stencil separableFilter(const Extent& size, const Extent& anchor) {
  SeparableTerm term;
  for (std::size_t a = 0; a < 3; ++a) {
    term.axis[a] = {{}, anchor[a]};
    for (std::int64_t i = 0; i < size[a]; ++i) term.axis[a].weights.push_back(weight(i + static_cast<std::int64_t>(a)));
  }
  Stencil filter;
  filter.terms = {term};
  return filter;
}

Stencil separableFilter(const std::vector<Extent>& sizes) {
  Stencil filter;
  double phase = 0.4;
  for (const Extent& size : sizes) {
    SeparableTerm term;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (size[axis] == 0) continue;
      AxisTaps& taps = term.axis[axis];
      taps = {{}, size[axis] / 2};
      for (std::int64_t i = 0; i < size[axis]; ++i)
        taps.weights.push_back(std::sin(phase += 1.1) / std::sqrt(static_cast<double>(size[axis])));
    }
    filter.terms.push_back(term);
  }
  return filter;
}

Stencil obliqueWave(const Extent& size, const Extent& anchor) {
  return tapsOf(size, anchor, [&](double x, double y, double z) {
    return 0.1 * std::cos(0.37 * x + 0.71 * y + 0.53 * z + 0.2) *
           std::exp(-4 *
                    (x * x / static_cast<double>(size[0] * size[0]) + y * y / static_cast<double>(size[1] * size[1]) +
                     z * z / static_cast<double>(size[2] * size[2])));
  });
}

Stencil twoBumps(const Extent& size, const Extent& anchor) {
  return tapsOf(size, anchor,
                [](double x, double y, double z) { return 0.01 * (1 + std::exp(-(x * x + y * y + z * z) / 18)); });
}

Stencil fullRank(const Extent& size, const Extent& anchor) {
  std::mt19937 random(7);
  return tapsOf(size, anchor, [&](double, double, double) { return 0.1 + std::ldexp(random(), -32); });
}

FilterWorkload fewTerms(const Stencil& taps, const Volume& input, Boundary boundary, double constant) {
  const ElementType output = input.type() == ElementType::f64 ? ElementType::f64 : ElementType::f32;
  return {{{"taps", taps}}, boundary, constant, input.spec(), output};
}

AxisTaps evenTaps(std::int64_t size, double tap) {
  return {std::vector<double>(static_cast<std::size_t>(size), tap), size / 2};
}

Operator boxOf(const Extent& size) {
  SeparableTerm term;
  for (std::size_t a = 0; a < 3; ++a)
    if (size[a] > 1) term.axis[a] = evenTaps(size[a], 1.0 / static_cast<double>(size[a]));
  return termsFilter("box", {term});
}

Operator twoBoxes() {
  std::vector<SeparableTerm> terms{{{evenTaps(13, 0.25), evenTaps(9, 0.5), evenTaps(7, 1)}},
                                   {{evenTaps(10, -0.5), evenTaps(31, 0.5), evenTaps(4, 1)}}};
  terms[1].axis[0].anchor = -2;
  terms[1].axis[2].anchor = 7;
  return termsFilter("two boxes", std::move(terms));
}

Operator mirroredTaps(const Extent& size, const std::array<bool, 3>& mirrored, const Extent& anchor) {
  Stencil stencil;
  stencil.dense = {size, anchor, {}};
  double sum = 0;
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x) {
        Extent at{x, y, z};
        for (std::size_t a = 0; a < 3; ++a)
          if (mirrored[a]) at[a] = std::min(at[a], size[a] - 1 - at[a]);
        const std::int64_t number = (at[2] * 31 + at[1]) * 37 + at[0];
        const double tap = number % 7 == 3 ? 0 : std::sin(1.7 * static_cast<double>(number) + 0.3);
        stencil.dense.weights.push_back(tap);
        sum += std::abs(tap);
      }
  for (double& tap : stencil.dense.weights) tap /= sum;
  return {"mirrored", stencil};
}

Operator radialTaps(std::int64_t edge, int dimensions) {
  const std::int64_t depth = dimensions == 3 ? edge : 1;
  return mirroredTaps({edge, edge, depth}, {true, true, true}, {edge / 2, edge / 2, depth / 2});
}

AxisTaps wave(std::int64_t size, std::int64_t anchor, int kind) {
  if (size == 1) return {};
  AxisTaps taps{{}, anchor};
  for (std::int64_t i = 0; i < size; ++i)
    taps.weights.push_back(0.3 * std::sin(1.0 + kind + static_cast<double>(i)) / static_cast<double>(size) + 0.02);
  return taps;
}

Operator product(const std::string& name, const AxisTaps& x, const AxisTaps& y, const AxisTaps& z) {
  return termsFilter(name, {{{x, y, z}}});
}

Operator waves(const std::vector<Extent>& sizes) {
  std::vector<SeparableTerm> terms;
  for (const auto& [x, y, z] : sizes) terms.push_back({{wave(x, x / 2, 0), wave(y, 0, 0), wave(z, z - 1, 0)}});
  return termsFilter("waves", std::move(terms));
}

std::vector<Operator> gradient(std::int64_t size) {
  const AxisTaps smooth = wave(size, size / 2, 0), slope = wave(size, size / 2, 1);
  return {product("x", slope, smooth, smooth), product("y", smooth, slope, smooth),
          product("z", smooth, smooth, slope)};
}

std::vector<Operator> secondDerivatives(std::int64_t size) {
  return pairsOfAxes([&](int order) { return wave(size, size / 2, order); });
}

std::vector<Operator> unlike() {
  const AxisTaps none;
  return {product("long", wave(9, 1, 0), wave(2, 0, 0), wave(7, 6, 0)),
          termsFilter("several", {{{wave(3, 0, 0), wave(4, 3, 1), wave(2, 1, 2)}},
                                  {{wave(5, 2, 1), none, wave(5, 0, 0)}},
                                  {{none, wave(3, 1, 0), none}}}),
          product("flat", wave(4, 2, 1), wave(5, 2, 1), none), product("line", none, none, wave(3, 1, 0)),
          product("plane", none, wave(3, 2, 0), wave(1, 0, 0))};
}

std::vector<Operator> gaussianGradient(double sigma) {
  return {termsFilter("x", {derivativeTerm(sigma, {1, 0, 0})}), termsFilter("y", {derivativeTerm(sigma, {0, 1, 0})}),
          termsFilter("z", {derivativeTerm(sigma, {0, 0, 1})})};
}

std::vector<Operator> gaussianHessian(double sigma) {
  return pairsOfAxes([&](int order) { return derivativeTaps(sigma, order); });
}

std::vector<Operator> mixedBank() {
  const AxisTaps even = evenTaps(9, 0.125), shifted{{0.5, -1, 2}, -2}, smooth = derivativeTaps(1, 0);
  return {
      termsFilter("log", {derivativeTerm(1, {2, 0, 0}), derivativeTerm(1, {0, 2, 0}), derivativeTerm(1, {0, 0, 2})}),
      termsFilter("nothing", {{}}),
      termsFilter("sharpen", {{}, derivativeTerm(0.6, {0, 0, 0})}),
      product("box", even, even, even),
      product("box and gaussian", even, even, smooth),
      product("shifted", shifted, {}, smooth),
      product("along x", derivativeTaps(1, 1), {}, {}),
      termsFilter("gaussian", {derivativeTerm(1, {0, 0, 0})}),
      termsFilter("again", {derivativeTerm(1, {0, 0, 0})}),
      termsFilter("derivative", {derivativeTerm(1, {1, 0, 0})})};
}

Operator directedWave(const Extent& size, double angle, double width) {
  Stencil stencil;
  stencil.dense = {size, {size[0] / 2, size[1] / 2, size[2] / 2}, {}};
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x) {
        const auto dx = static_cast<double>(x - size[0] / 2), dy = static_cast<double>(y - size[1] / 2),
                   dz = static_cast<double>(z - size[2] / 2);
        stencil.dense.weights.push_back(std::exp(-(dx * dx + dy * dy + dz * dz) / (2 * width * width)) *
                                        std::cos(dx * std::cos(angle) + dy * std::sin(angle) + 0.3 * dz + 0.4));
      }
  return {"wave " + std::to_string(angle), stencil};
}

std::vector<Operator> directedWaves(const Extent& size) {
  std::vector<Operator> filters;
  for (int i = 0; i < 3; ++i) filters.push_back(directedWave(size, 0.7 * i, 3 + 2 * i));
  filters.push_back({"noise", denseFilter(size, {size[0] / 2, size[1] / 2, size[2] / 2})});
  filters.push_back({"moved", denseFilter(size, {size[0] / 3, 0, 0})});
  filters.push_back(directedWave({size[0] - 2, size[1], size[2]}, 0.2, 4));
  return filters;
}

std::vector<Operator> filtersNearTies() {
  const double third = 1.0 / 3, tenth = 0.1;
  const AxisTaps one = centered({1}), half = centered({0.5, 0.5}), smooth = centered({0.25, 0.5, 0.25}),
                 sum = centered({1, 2, 1});
  Stencil mirrored;
  mirrored.dense = {{5, 5, 5}, {2, 2, 2}, {}};
  for (int z = -2; z <= 2; ++z)
    for (int y = -2; y <= 2; ++y)
      for (int x = -2; x <= 2; ++x) mirrored.dense.weights.push_back(0.1 / (1 + x * x + 2 * y * y + z * z));
  return {product("rounded", centered({third, third, third}), half, half),
          product("rounded", centered({tenth, 3 * tenth, 2 * tenth}), smooth, one),
          product("rounded", smooth, smooth, half),
          product("rounded", centered({-1, 0, 1}), sum, one),
          termsFilter("sharp", {{{one, one, one}},
                                {{centered({0, 5.5, 0}), one, one}},
                                {{centered({-tenth, -5 * tenth, -tenth}), sum, one}}}),
          {"mirrored", mirrored},
          {"dense", denseFilter({5, 3, 3}, {2, 1, 1})}};
}

Operator wideTaps(const Extent& size, bool positive, double sum) {
  SeparableTerm term;
  for (std::size_t a = 0; a < 3; ++a) {
    if (size[a] == 1) continue;
    AxisTaps& taps = term.axis[a];
    taps = {{}, size[a] / 3};
    double all = 0;
    for (std::int64_t i = 0; i < size[a]; ++i) {
      const double x = 4.0 * static_cast<double>(2 * i + 1 - size[a]) / static_cast<double>(size[a]);
      taps.weights.push_back(std::exp(-x * x / 2) * (positive || i % 5 != 0 ? 1 : -1));
      all += std::abs(taps.weights.back());
    }
    for (double& one : taps.weights) one *= sum / all;
  }
  return termsFilter("wide", {term});
}

Operator productOf(std::array<std::vector<double>, 3> weights) {
  return product("product", centered(std::move(weights[0])), centered(std::move(weights[1])),
                 centered(std::move(weights[2])));
}

Operator evenBox() { return productOf({{std::vector<double>(6, 1.0 / 6), {1}, std::vector<double>(6, 1.0 / 6)}}); }
Operator brightBox() { return productOf({{std::vector<double>(13, 0.115), {0.5, 0.5}, {1}}}); }
Operator binomial() { return productOf({{{0.25, 0.5, 0.25}, {0.25, 0.5, 0.25}, {0.5, 0.5}}}); }
Operator sharp() {
  return termsFilter("product", {{{centered({0, 5.5, 0}), centered({1}), centered({0, 1, 0})}},
                                 {{centered({-0.1, -0.5, -0.1}), centered({1, 2, 1}), centered({0.1, 0.3, 1})}}});
}

std::vector<Operator> windowsFor(MethodKind kind, int dimensions) {
  constexpr auto kBox = WindowShape::Box, kBall = WindowShape::Ball, kCross = WindowShape::Cross;
  switch (kind) {
    case MethodKind::Merging:
      if (dimensions == 3) return {medianWindow(kBox, 3, 3)};
      return {medianWindow(kBox, 3, 2), medianWindow(kBox, 5, 2)};
    case MethodKind::Selection:
      return {medianWindow(kBox, 3, dimensions), medianWindow(kCross, 5, dimensions),
              medianWindow(kBall, 5, dimensions)};
    case MethodKind::Histogram:
      return {medianWindow(kBox, 3, dimensions), percentileWindow(kBox, 7, dimensions, 80),
              minimumWindow(kBox, 4, dimensions), percentileWindow(kBox, 31, dimensions, 10)};
    case MethodKind::Bisection:
      return {percentileWindow(kBox, 3, dimensions, 30), percentileWindow(kBall, 5, dimensions, 99),
              medianWindow(kBox, 7, dimensions), minimumWindow(kBox, 2, dimensions)};
    default:
      return {minimumWindow(kBox, 1, dimensions),   minimumWindow(kBox, 6, dimensions),
              maximumWindow(kBox, 21, dimensions),  maximumWindow(kBall, 7, dimensions),
              minimumWindow(kCross, 9, dimensions), percentileWindow(kBall, 5, dimensions, 0)};
  }
}

}  // namespace sscope::test
