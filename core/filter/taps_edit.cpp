#include "core/filter/taps_edit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/error.h"

namespace sscope {

namespace {

using Place = std::array<std::int64_t, 3>;

std::size_t indexOf(const DenseTaps& taps, const Place& p) {
  return static_cast<std::size_t>((p[2] * taps.size[1] + p[1]) * taps.size[0] + p[0]);
}

// Calls `each` with every place of the grid.
template <class Each>
void forPlaces(const std::array<std::int64_t, 3>& size, Each&& each) {
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x) each(Place{x, y, z});
}

// Where the tap of a place lands; on another grid for a turn, whose first two sizes change places.
Place image(const std::array<std::int64_t, 3>& size, TapsSymmetry symmetry, Place p) {
  const auto mirror = [&](std::size_t axis) { p[axis] = size[axis] - 1 - p[axis]; };
  switch (symmetry) {
    case TapsSymmetry::AlongX: mirror(0); break;
    case TapsSymmetry::AlongY: mirror(1); break;
    case TapsSymmetry::AlongZ: mirror(2); break;
    case TapsSymmetry::Point:
      for (std::size_t axis = 0; axis < 3; ++axis) mirror(axis);
      break;
    case TapsSymmetry::QuarterTurn: return {size[1] - 1 - p[1], p[0], p[2]};
  }
  return p;
}

// The mean over a tap and its images, each with the sign to the power of the number of steps.
DenseTaps projected(const DenseTaps& taps, TapsSymmetry symmetry, double sign) {
  const bool turn = symmetry == TapsSymmetry::QuarterTurn;
  if (turn && taps.size[0] != taps.size[1])
    throw Error(ErrorKind::Usage,
                "slices of " + std::to_string(taps.size[0]) + " x " + std::to_string(taps.size[1]) +
                    " taps have no quarter turn",
                "give x and y the same size");
  const int images = turn ? 4 : 2;
  DenseTaps result = taps;
  forPlaces(taps.size, [&](const Place& place) {
    double sum = 0, weight = 1;
    Place at = place;
    for (int i = 0; i < images; ++i, weight *= sign, at = image(taps.size, symmetry, at))
      sum += weight * taps.weights[indexOf(taps, at)] / images;
    result.weights[indexOf(result, place)] = sum;
  });
  return result;
}

DenseTaps divided(DenseTaps taps, double by) {
  for (double& weight : taps.weights) weight /= by;
  return taps;
}

}  // namespace

DenseTaps madeSymmetric(const DenseTaps& taps, TapsSymmetry symmetry) { return projected(taps, symmetry, 1); }

DenseTaps madeAntisymmetric(const DenseTaps& taps, TapsSymmetry symmetry) { return projected(taps, symmetry, -1); }

DenseTaps withUnitSum(const DenseTaps& taps) {
  const TapsFigures figures = figuresOf(taps);
  const double rounding = static_cast<double>(taps.count()) * std::numeric_limits<double>::epsilon();
  if (std::abs(figures.sum) <= rounding * figures.magnitude || !std::isfinite(figures.sum))
    throw Error(ErrorKind::Usage, "taps whose sum is 0 cannot be scaled to the sum 1",
                "scale the sum of their magnitudes instead");
  return divided(taps, figures.sum);
}

DenseTaps withUnitMagnitude(const DenseTaps& taps) {
  const double magnitude = figuresOf(taps).magnitude;
  if (magnitude == 0 || !std::isfinite(magnitude))
    throw Error(ErrorKind::Usage, magnitude == 0 ? "all taps are 0" : "the taps are too large to be added",
                "type other numbers first");
  return divided(taps, magnitude);
}

DenseTaps withoutMean(const DenseTaps& taps) {
  const double mean = figuresOf(taps).sum / static_cast<double>(taps.count());
  if (!std::isfinite(mean))
    throw Error(ErrorKind::Usage, "the taps are too large to be added", "type other numbers first");
  DenseTaps result = taps;
  for (double& weight : result.weights) weight -= mean;
  return result;
}

DenseTaps negated(const DenseTaps& taps) {
  DenseTaps result = taps;
  for (double& weight : result.weights) weight = weight == 0 ? 0 : -weight;  // no -0 to be shown
  return result;
}

DenseTaps mirrored(const DenseTaps& taps, std::size_t axis) {
  const auto along = static_cast<TapsSymmetry>(axis);
  DenseTaps result = taps;
  result.anchor = image(taps.size, along, taps.anchor);
  forPlaces(taps.size, [&](const Place& p) {
    result.weights[indexOf(result, image(taps.size, along, p))] = taps.weights[indexOf(taps, p)];
  });
  return result;
}

DenseTaps quarterTurned(const DenseTaps& taps) {
  DenseTaps result = taps;
  std::swap(result.size[0], result.size[1]);
  result.anchor = image(taps.size, TapsSymmetry::QuarterTurn, taps.anchor);
  forPlaces(taps.size, [&](const Place& p) {
    result.weights[indexOf(result, image(taps.size, TapsSymmetry::QuarterTurn, p))] = taps.weights[indexOf(taps, p)];
  });
  return result;
}

DenseTaps resized(const DenseTaps& old, const std::array<std::int64_t, 3>& size) {
  DenseTaps taps;
  taps.size = size;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto [low, high] = std::minmax({old.anchor[a], old.anchor[a] + size[a] - old.size[a]});
    taps.anchor[a] = std::clamp(std::clamp(size[a] / 2, low, high), std::int64_t{0}, size[a] - 1);
  }
  taps.weights.assign(static_cast<std::size_t>(taps.count()), 0.0);
  forPlaces(size, [&](const Place& p) {
    Place from;
    for (std::size_t a = 0; a < 3; ++a) {
      from[a] = p[a] - taps.anchor[a] + old.anchor[a];
      if (from[a] < 0 || from[a] >= old.size[a]) return;
    }
    taps.weights[indexOf(taps, p)] = old.weights[indexOf(old, from)];
  });
  return taps;
}

DenseTaps withBlock(const DenseTaps& taps, const std::array<std::int64_t, 3>& at, const DenseTaps& block) {
  for (std::size_t a = 0; a < 3; ++a)
    if (at[a] < 0 || at[a] + block.size[a] > taps.size[a])
      throw Error(ErrorKind::Usage, "the numbers do not fit into the grid from there",
                  "begin farther to the left or up");
  DenseTaps result = taps;
  forPlaces(block.size, [&](const Place& p) {
    result.weights[indexOf(result, {p[0] + at[0], p[1] + at[1], p[2] + at[2]})] = block.weights[indexOf(block, p)];
  });
  return result;
}

DenseTaps sliceOf(const DenseTaps& taps, std::int64_t z) {
  DenseTaps slice;
  slice.size = {taps.size[0], taps.size[1], 1};
  slice.anchor = {taps.anchor[0], taps.anchor[1], 0};
  const auto begin = taps.weights.begin() + z * slice.count();
  slice.weights.assign(begin, begin + slice.count());
  return slice;
}

TapsFigures figuresOf(const DenseTaps& taps) {
  TapsFigures figures;
  const auto [smallest, largest] = std::ranges::minmax(taps.weights);
  figures.smallest = smallest;
  figures.largest = largest;
  for (const double weight : taps.weights) {
    figures.sum += weight;
    figures.magnitude += std::abs(weight);
    figures.nonzero += weight != 0 ? 1 : 0;
  }
  return figures;
}

}  // namespace sscope
