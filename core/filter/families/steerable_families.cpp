#include "core/filter/families/family_rows.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "core/base/error.h"
#include "core/filter/families/part_formula.h"
#include "core/filter/families/tap_design.h"
#include "core/filter/stencil.h"

namespace sscope {

namespace {

// A polynomial in the coordinate u along the direction, lowest power first, times exp(-|u|^2); u is the place over
// sqrt(2) sigma.
struct SteerableShape {
  std::string_view name;
  std::array<double, 6> factors;
};

// W. Freeman and E. Adelson, The design and use of steerable filters, 1991, tables III to VII, up to a factor. They are
// mirrored, because taps are correlated with the data: G1 rises along the direction.
constexpr std::array<SteerableShape, 5> kShapes{{{"g1", {0, 2, 0, 0, 0, 0}},
                                                 {"g2", {-1, 0, 2, 0, 0, 0}},
                                                 {"h2", {0, 2.205, 0, -0.9780, 0, 0}},
                                                 {"g4", {0.75, 0, -3, 0, 1, 0}},
                                                 {"h4", {0, -7.189, 0, 7.501, 0, -1}}}};

// The integral of u^(2 k) exp(-2 u^2).
double gaussianMoment(std::size_t k) {
  double moment = std::sqrt(std::numbers::pi / 2);
  for (std::size_t i = 1; i <= k; ++i) moment *= static_cast<double>(2 * i - 1) / 4;
  return moment;
}

// One over the root of the integral of the square, as Freeman and Adelson scale theirs, in voxels.
double unitEnergy(const SteerableShape& shape, const std::array<double, 3>& sigma, int dimensions) {
  double energy = 0;
  for (std::size_t i = 0; i < shape.factors.size(); ++i)
    for (std::size_t j = i % 2; j < shape.factors.size(); j += 2)
      energy += shape.factors[i] * shape.factors[j] * gaussianMoment((i + j) / 2);
  for (int a = 0; a < dimensions; ++a)
    energy *= (a > 0 ? gaussianMoment(0) : 1) * std::numbers::sqrt2 * sigma[static_cast<std::size_t>(a)];
  return 1 / std::sqrt(energy);
}

double power(double base, std::size_t exponent) {
  double result = 1;
  for (std::size_t i = 0; i < exponent; ++i) result *= base;
  return result;
}

double choose(std::size_t n, std::size_t k) {
  double result = 1;
  for (std::size_t i = 1; i <= k; ++i) result = result * static_cast<double>(n + 1 - i) / static_cast<double>(i);
  return result;
}

// Powers of one axis' coordinate times its gaussian.
struct AxisPowers {
  std::array<AxisTaps, 6> taps;
  std::array<double, 6> sums{};
};

AxisPowers powersOf(double sigma, double truncate) {
  AxisPowers made;
  const auto half = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(truncate * sigma + 0.5)));
  for (std::size_t n = 0; n < made.taps.size(); ++n) {
    AxisTaps& taps = made.taps[n];
    taps.anchor = half;
    taps.weights.clear();
    for (std::int64_t x = -half; x <= half; ++x) {
      const double u = static_cast<double>(x) / (std::numbers::sqrt2 * sigma);
      taps.weights.push_back(power(u, n) * std::exp(-u * u));
      made.sums[n] += taps.weights.back();
    }
  }
  return made;
}

// (d u)^n as its monomials, one product of lines for every pair of powers of y and z: a sum of a few fixed filters with
// factors that follow from the direction. Each is balanced by the gaussian if its sum is to vanish, so that the
// direction may be any.
Stencil makeSteerable(const OptionValues& values, const FilterGrid& grid) {
  const auto unit = directionOf(values, grid);
  const auto sigma = voxelsAlongAxes(values, "sigma", grid);
  const std::string& name = textOf(values, "filter");
  const SteerableShape& shape = *std::ranges::find(kShapes, name, &SteerableShape::name);
  const double scale = unitEnergy(shape, sigma, grid.dimensions);
  std::array<AxisPowers, 3> axes;
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a)
    axes[a] = powersOf(sigma[a], realOf(values, "truncate"));
  const bool volume = grid.dimensions == 3;
  const std::size_t degree = shape.factors.size() - 1;
  Stencil stencil;
  double sum = 0;
  for (std::size_t c = 0; c <= (volume ? degree : 0); ++c)
    for (std::size_t b = 0; b + c <= degree; ++b) {
      SeparableTerm term;
      if (volume) term.axis[2] = axes[2].taps[c];
      term.axis[1] = axes[1].taps[b];
      term.axis[0] = scaled(axes[0].taps[0], 0);
      double along = 0;
      bool some = false;
      for (std::size_t n = b + c; n <= degree; ++n) {
        const double factor = scale * shape.factors[n] * choose(n, c) * choose(n - c, b) * power(unit[2], c) *
                              power(unit[1], b) * power(unit[0], n - c - b);
        if (factor == 0) continue;
        some = true;
        for (std::size_t i = 0; i < term.axis[0].weights.size(); ++i)
          term.axis[0].weights[i] += factor * axes[0].taps[n - c - b].weights[i];
        along += factor * axes[0].sums[n - c - b];
      }
      if (!some) continue;
      sum += along * axes[1].sums[b] * (volume ? axes[2].sums[c] : 1);
      stencil.terms.push_back(std::move(term));
    }
  const bool even = shape.factors[1] == 0;
  if (!even) return stencil;
  // The first is that of y^0 z^0: there is one, because even shapes have a constant.
  const double mean = sum / (axes[0].sums[0] * axes[1].sums[0] * (volume ? axes[2].sums[0] : 1));
  AxisTaps& first = stencil.terms.front().axis[0];
  for (std::size_t i = 0; i < first.weights.size(); ++i) first.weights[i] -= mean * axes[0].taps[0].weights[i];
  return stencil;
}

// exp(-(a^2 / along^2 + b^2 / across^2) / 2) of the places a along the direction and b across, up to `truncate` sigma
// along every axis; sum 1.
Stencil makeOriented(const OptionValues& values, const FilterGrid& grid) {
  const auto unit = directionOf(values, grid);
  const auto along = voxelsAlongAxes(values, "along", grid), across = voxelsAlongAxes(values, "across", grid);
  const double truncate = realOf(values, "truncate");
  std::array<std::int64_t, 3> size{1, 1, 1};
  double whole = 1;  // the integral
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a) {
    const double square = unit[a] * unit[a];
    const double sigma = std::sqrt(along[a] * along[a] * square + across[a] * across[a] * (1 - square));
    size[a] = 2 * static_cast<std::int64_t>(std::floor(truncate * sigma + 0.5)) + 1;
    whole *= std::sqrt(2 * std::numbers::pi) * across[a];
  }
  whole *= along[0] / across[0];
  Stencil stencil;
  stencil.dense = limitedTaps(size);
  DenseTaps& taps = stencil.dense;
  double sum = 0;
  std::size_t place = 0;
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x, ++place) {
        const std::array<double, 3> at{static_cast<double>(x - taps.anchor[0]), static_cast<double>(y - taps.anchor[1]),
                                       static_cast<double>(z - taps.anchor[2])};
        double parallel = 0, projected = 0, square = 0;
        for (std::size_t a = 0; a < 3; ++a) {
          parallel += unit[a] * at[a] / along[a];
          projected += unit[a] * at[a] / across[a];
          square += at[a] * at[a] / (across[a] * across[a]);
        }
        taps.weights[place] = std::exp(-(parallel * parallel + std::max(0.0, square - projected * projected)) / 2);
        sum += taps.weights[place];
      }
  for (double& weight : taps.weights) weight /= sum;
  stencil.lostTailMass = std::clamp(1 - sum / whole, 0.0, 1.0);
  return factored(std::move(stencil));
}

// The product of gaussians of their own widths.
Stencil makeAnisotropic(const OptionValues& values, const FilterGrid& grid) {
  const double truncate = realOf(values, "truncate");
  SeparableTerm term;
  double kept = 1;
  constexpr std::array kNames{"sigma_x", "sigma_y", "sigma_z"};
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a) {
    const double sigma = voxelsAlongAxes(values, kNames[a], grid)[a];
    term.axis[a] = gaussianTaps(sigma, 0, truncate);
    kept *= 1 - gaussianTailMass(sigma, truncate);
  }
  Stencil stencil;
  stencil.terms = {term};
  stencil.lostTailMass = 1 - kept;
  return stencil;
}

}  // namespace

std::vector<FilterFamily> steerableFamilies() {
  const Option azimuth = azimuthOption(), elevation = elevationOption();
  Option truncate = radiusOption();
  truncate.fallback = 3.0;
  const auto each = [](const char* name, const char* label, double fallback) {
    return lengthOption(name, label, fallback, 0, 64, 8,
                        "Standard deviation along this axis, in voxels or a length (0.8mm); 0 leaves it alone.");
  };
  return {
      {"anisotropic",
       "Anisotropic gaussian",
       "Smooths each axis by its own width.",
       {each("sigma_x", "Sigma x", 1.5), each("sigma_y", "Sigma y", 1.5), each("sigma_z", "Sigma z", 1.0),
        radiusOption()},
       makeAnisotropic},
      {"orientedgaussian",
       "Oriented gaussian",
       "Smooths along a direction and less across it: the mean of a long ellipsoid.",
       {lengthOption("along", "Along", 2, 0.2, 64, 16,
                     "Standard deviation along the direction, in voxels or a length (0.8mm)."),
        lengthOption("across", "Across", 0.7, 0.2, 64, 8,
                     "Standard deviation across the direction, in voxels or a length (0.8mm)."),
        azimuth, elevation, truncate},
       makeOriented},
      {"steerable",
       "Steerable",
       "Derivatives of a gaussian along any direction, and their partners in quadrature, as sums of a few products.",
       {choiceOption("filter", "Filter", {"g1", "g2", "h2", "g4", "h4"},
                     "The derivative of order 1, 2 or 4, or the Hilbert transform of that of order 2 or 4."),
        scaleOption("sigma", "Sigma", 1.0, "Of the gaussian, in voxels or a length (0.8mm)."), azimuth, elevation,
        truncate},
       makeSteerable},
  };
}

}  // namespace sscope
