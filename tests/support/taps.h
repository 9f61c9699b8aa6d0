#pragma once
// Taps and windows that tests filter with: each is known by what the methods of engines do with it.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/filter/method/method.h"
#include "core/filter/workload/filter_workload.h"
#include "core/volume/volume.h"

namespace sscope::test {

using Extent = std::array<std::int64_t, 3>;

// What `tap` says of the distances from the middle, along x first.
template <class Tap>
[[nodiscard]] Stencil tapsOf(const Extent& size, const Extent& anchor, Tap&& tap) {
  Stencil stencil;
  stencil.dense = {size, anchor, {}};
  const auto from = [](std::int64_t i, std::int64_t n) {
    return static_cast<double>(i) - static_cast<double>(n - 1) / 2;
  };
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x)
        stencil.dense.weights.push_back(tap(from(x, size[0]), from(y, size[1]), from(z, size[2])));
  return stencil;
}

// Dense taps that are no product of lines, of any size and anchor and of both signs. Those of the second kind are
// divided by their number.
[[nodiscard]] Stencil denseFilter(const Extent& size, const Extent& anchor);
[[nodiscard]] Stencil faintFilter(const Extent& size, const Extent& anchor);
// One separable term, and a sum of terms with lines of these lengths, where 0 leaves an axis unfiltered.
[[nodiscard]] Stencil separableFilter(const Extent& size, const Extent& anchor);
[[nodiscard]] Stencil separableFilter(const std::vector<Extent>& sizes);

// A wave across the axes under a gaussian: two separable terms in two dimensions, four in three, which cancel near its
// zeros.
[[nodiscard]] Stencil obliqueWave(const Extent& size, const Extent& anchor);
// A bump on a plateau: positive taps, as many terms, which hardly cancel.
[[nodiscard]] Stencil twoBumps(const Extent& size, const Extent& anchor);
// Noise: no sum of few terms.
[[nodiscard]] Stencil fullRank(const Extent& size, const Extent& anchor);
// These taps on data, f32 out, of f64 as precise.
[[nodiscard]] FilterWorkload fewTerms(const Stencil& taps, const Volume& input, Boundary boundary,
                                      double constant = 0.75);

[[nodiscard]] AxisTaps evenTaps(std::int64_t size, double tap);
// A mean, whose taps are equal; along axes of one tap nothing is summed.
[[nodiscard]] Operator boxOf(const Extent& size);
// Two boxes of other sizes and places, one with negative taps.
[[nodiscard]] Operator twoBoxes();
// Taps that are no product of lines and are mirrored along some axes; every seventh is 0, and magnitudes add up to 1.
[[nodiscard]] Operator mirroredTaps(const Extent& size, const std::array<bool, 3>& mirrored, const Extent& anchor);
// The same, mirrored along all axes, around the middle.
[[nodiscard]] Operator radialTaps(std::int64_t edge, int dimensions);

// Lines of which no two of different `kind` are alike, and products of them.
[[nodiscard]] AxisTaps wave(std::int64_t size, std::int64_t anchor, int kind);
[[nodiscard]] Operator product(const std::string& name, const AxisTaps& x, const AxisTaps& y, const AxisTaps& z);
// Terms of these sizes; anchors at the middle, at the beginning and at the end.
[[nodiscard]] Operator waves(const std::vector<Extent>& sizes);
// Banks of lines that have some in common, as gradients and second derivatives have, or hardly any.
[[nodiscard]] std::vector<Operator> gradient(std::int64_t size);
[[nodiscard]] std::vector<Operator> secondDerivatives(std::int64_t size);
[[nodiscard]] std::vector<Operator> unlike();

// Derivatives of a gaussian, and a bank of two and three terms, axes untouched, equal taps, an anchor outside and other
// extents.
[[nodiscard]] std::vector<Operator> gaussianGradient(double sigma);
[[nodiscard]] std::vector<Operator> gaussianHessian(double sigma);
[[nodiscard]] std::vector<Operator> mixedBank();

// A wave under a gaussian in one direction; and several of them with noise, another anchor and another size, which
// share transforms.
[[nodiscard]] Operator directedWave(const Extent& size, double angle, double width);
[[nodiscard]] std::vector<Operator> directedWaves(const Extent& size);

// Filters of bytes whose sums lie on or near the middle between two integers more often than others; the first five are
// separable.
[[nodiscard]] std::vector<Operator> filtersNearTies();
// Separable taps as wide as those of a gaussian, positive or of both signs, whose magnitudes along each axis add up to
// `sum`.
[[nodiscard]] Operator wideTaps(const Extent& size, bool positive, double sum = 1);
// Products of lines on bytes: one sum in twelve lies between two integers; sums leave the range of bytes; all products
// and sums are exact in single precision; too many sums would have to be made again.
[[nodiscard]] Operator productOf(std::array<std::vector<double>, 3> weights);
[[nodiscard]] Operator evenBox();
[[nodiscard]] Operator brightBox();
[[nodiscard]] Operator binomial();
[[nodiscard]] Operator sharp();

// Order statistics that this method takes, from the smallest window on.
[[nodiscard]] std::vector<Operator> windowsFor(MethodKind kind, int dimensions);

}  // namespace sscope::test
