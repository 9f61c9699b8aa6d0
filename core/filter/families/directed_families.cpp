#include "core/filter/families/family_rows.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/filter/families/part_formula.h"
#include "core/filter/families/tap_design.h"

namespace sscope {

namespace {

// Calls visit(tap, offset from the anchor) for every tap.
template <class Visit>
void overTaps(DenseTaps& taps, Visit&& visit) {
  std::size_t place = 0;
  for (std::int64_t z = -taps.anchor[2]; z < taps.size[2] - taps.anchor[2]; ++z)
    for (std::int64_t y = -taps.anchor[1]; y < taps.size[1] - taps.anchor[1]; ++y)
      for (std::int64_t x = -taps.anchor[0]; x < taps.size[0] - taps.anchor[0]; ++x, ++place)
        visit(taps.weights[place],
              std::array<double, 3>{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
}

DenseTaps tapsAround(const std::array<double, 3>& reach, int dimensions) {
  std::array<std::int64_t, 3> size{1, 1, 1};
  for (std::size_t a = 0; a < static_cast<std::size_t>(dimensions); ++a)
    size[a] = 2 * static_cast<std::int64_t>(std::floor(reach[a])) + 1;
  return limitedTaps(size);
}

// keep times the data plus strength times the slope along a direction: central differences along each axis with 1-2-1
// smoothing over the others (I. Sobel), scaled to give the slope of a ramp.
Stencil makeEmboss(const OptionValues& values, const FilterGrid& grid) {
  const auto unit = directionOf(values, grid);
  const double strength = realOf(values, "strength");
  const auto axes = static_cast<std::size_t>(grid.dimensions);
  Stencil stencil;
  stencil.dense = tapsAround({1, 1, 1}, grid.dimensions);
  overTaps(stencil.dense, [&](double& weight, const std::array<double, 3>& at) {
    for (std::size_t along = 0; along < axes; ++along) {
      double slope = at[along] / 2;
      for (std::size_t a = 0; a < axes; ++a)
        if (a != along) slope *= at[a] == 0 ? 0.5 : 0.25;
      weight += strength * unit[along] * slope;
    }
    if (std::ranges::all_of(at, [](double offset) { return offset == 0; })) weight += realOf(values, "keep");
  });
  return stencil;
}

// The mean along a segment, centered on the voxel, of the data between voxels by linear interpolation.
Stencil makeMotion(const OptionValues& values, const FilterGrid& grid) {
  const auto unit = directionOf(values, grid);
  const auto length = voxelsAlongAxes(values, "length", grid);
  std::array<double, 3> end{}, reach{};
  double longest = 0;
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a) {
    end[a] = unit[a] * length[a] / 2;
    reach[a] = std::ceil(std::abs(end[a]));
    longest = std::max(longest, reach[a]);
  }
  Stencil stencil;
  stencil.dense = tapsAround(reach, grid.dimensions);
  constexpr double kEachVoxel = 64;  // points
  const auto points = static_cast<std::int64_t>(2 * std::max(1.0, longest) * kEachVoxel);
  DenseTaps& taps = stencil.dense;
  for (std::int64_t p = 0; p < points; ++p) {
    const double share = (2 * static_cast<double>(p) + 1) / static_cast<double>(points) - 1;
    std::array<std::int64_t, 3> low{};
    std::array<double, 3> part{};
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = static_cast<std::int64_t>(std::floor(share * end[a]));
      part[a] = share * end[a] - static_cast<double>(low[a]);
    }
    for (std::size_t corner = 0; corner < 8; ++corner) {
      double weight = 1 / static_cast<double>(points);
      std::array<std::int64_t, 3> at{};
      for (std::size_t a = 0; a < 3; ++a) {
        const bool upper = (corner >> a & 1U) != 0;
        weight *= upper ? part[a] : 1 - part[a];
        at[a] = low[a] + (upper ? 1 : 0) + taps.anchor[a];
      }
      if (weight == 0) continue;
      taps.weights[static_cast<std::size_t>((at[2] * taps.size[1] + at[1]) * taps.size[0] + at[0])] += weight;
    }
  }
  return factored(std::move(stencil));
}

// J. Daugman, Uncertainty relation for resolution in space, spatial frequency, and orientation, 1985: a plane wave in a
// gaussian that is `aspect` times as narrow across the direction; divided by the gaussian's sum. With "balanced", a
// multiple of the gaussian is subtracted so that the taps sum to zero.
Stencil makeGabor(const OptionValues& values, const FilterGrid& grid) {
  const auto unit = directionOf(values, grid);
  const auto sigma = voxelsAlongAxes(values, "sigma", grid), wavelength = voxelsAlongAxes(values, "wavelength", grid);
  const double aspect = realOf(values, "aspect"), truncate = realOf(values, "truncate");
  const double phase = realOf(values, "phase") * std::numbers::pi / 180;
  std::array<double, 3> reach{};
  for (std::size_t a = 0; a < 3; ++a)
    reach[a] = std::max(
        1.0, truncate * sigma[a] * std::sqrt(unit[a] * unit[a] + (1 - unit[a] * unit[a]) / (aspect * aspect)) + 0.5);
  Stencil stencil;
  stencil.dense = tapsAround(reach, grid.dimensions);
  const auto envelope = [&](const std::array<double, 3>& at) {
    double along = 0, square = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      along += unit[a] * at[a] / sigma[a];
      square += at[a] * at[a] / (sigma[a] * sigma[a]);
    }
    return std::exp(-(along * along + aspect * aspect * std::max(0.0, square - along * along)) / 2);
  };
  double total = 0, sum = 0;
  overTaps(stencil.dense, [&](double& weight, const std::array<double, 3>& at) {
    double turns = 0;
    for (std::size_t a = 0; a < 3; ++a) turns += unit[a] * at[a] / wavelength[a];
    const double height = envelope(at);
    weight = height * std::cos(2 * std::numbers::pi * turns + phase);
    total += height;
    sum += weight;
  });
  const double mean = std::get<bool>(values.at("balanced")) ? sum / total : 0;
  overTaps(stencil.dense,
           [&](double& weight, const std::array<double, 3>& at) { weight = (weight - mean * envelope(at)) / total; });
  return factored(std::move(stencil));
}

}  // namespace

std::vector<FilterFamily> directedFamilies() {
  const Option azimuth = azimuthOption(), elevation = elevationOption();
  Option strength = realOption("strength", "Strength", 1, -100, 100, "", "The share of the slope that is added.");
  strength.sliderMinimum = -5;
  strength.sliderMaximum = 5;
  Option truncate = radiusOption();
  truncate.fallback = 2.5;
  return {
      {"emboss",
       "Emboss",
       "A relief lit from one side: the data plus their slope along a direction.",
       {azimuth, elevation, strength, realOption("keep", "Keep", 1, 0, 1, "", "The share of the data that remains.")},
       makeEmboss},
      {"motion",
       "Motion blur",
       "The mean along a segment of any direction.",
       {lengthOption("length", "Length", 5, 0.5, 64, 20, "Of the segment, in voxels or a length (0.8mm)."), azimuth,
        elevation},
       makeMotion},
      {"gabor",
       "Gabor",
       "Finds waves of one length and direction: a plane wave in a gaussian.",
       {scaleOption("sigma", "Sigma", 1.5, "Of the gaussian along the direction, in voxels or a length (0.8mm)."),
        lengthOption("wavelength", "Wavelength", 4, 2, 64, 20, "Of the wave, in voxels or a length (0.8mm)."), azimuth,
        elevation,
        realOption("phase", "Phase", 0, -360, 360, "degrees", "0: even about the center; -90: odd, rising forward."),
        realOption("aspect", "Aspect", 1, 0.2, 5, "", "How much narrower the gaussian is across the direction."),
        booleanOption("balanced", "Balanced", false, "Gives zero where the data are even."), truncate},
       makeGabor},
  };
}

}  // namespace sscope
