#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/filter/families/family_rows.h"
#include "core/filter/families/tap_design.h"
#include "core/filter/grid.h"
#include "core/filter/stencil.h"

namespace sscope {

namespace {

// Dense taps from a response in frequency.

// The response of the taps to waves. Frequencies are in cycles per voxel along x, y and z, each within -1/2..1/2.
struct FrequencyDesign {
  // A real function of the frequency, even or odd. Even: a wave is multiplied by it. Odd: a cosine becomes this
  // multiple of the sine of the same wave (the response is -i times it).
  std::function<double(const std::array<double, 3>&)> response;
  bool odd = false;
  std::array<std::int64_t, 3> radius{0, 0, 0};  // of the taps; 0 along axes that are not filtered
  std::string window = "hann";                  // as windowWeight (tap_design.h), or "none"
  double mean = 0;                              // the sum of even taps; that of odd ones is 0
};

// The waves of one axis: exp(2 pi i k x / n) for the frequencies k = -most..most and the places x = -radius..radius.
// With an odd number of frequencies only 0 is its own negative.
struct AxisWaves {
  std::int64_t radius = 0, most = 0, frequencies = 1, places = 1;
  std::vector<double> cosine, sine;  // places fastest

  explicit AxisWaves(std::int64_t given) : radius(given) {
    constexpr std::int64_t kFewest = 8;  // so that responses of short taps are sampled densely enough
    if (radius > 0) most = std::max(2 * radius, kFewest);
    frequencies = 2 * most + 1;
    places = 2 * radius + 1;
    for (std::int64_t k = -most; k <= most; ++k)
      for (std::int64_t x = -radius; x <= radius; ++x) {
        const auto turns = static_cast<double>(k * x % frequencies) / static_cast<double>(frequencies);
        cosine.push_back(std::cos(2 * std::numbers::pi * turns));
        sine.push_back(std::sin(2 * std::numbers::pi * turns));
      }
  }
  [[nodiscard]] double frequency(std::int64_t k) const {
    return static_cast<double>(k) / static_cast<double>(frequencies);
  }
  // The values of frequency k, which begins at -most.
  [[nodiscard]] const double* cosines(std::int64_t k) const { return cosine.data() + (k + most) * places; }
  [[nodiscard]] const double* sines(std::int64_t k) const { return sine.data() + (k + most) * places; }
};

struct ComplexArray {
  std::vector<double> real, imaginary;
  explicit ComplexArray(std::int64_t count)
      : real(static_cast<std::size_t>(count)), imaginary(static_cast<std::size_t>(count)) {}
  void clear() {
    std::ranges::fill(real, 0.0);
    std::ranges::fill(imaginary, 0.0);
  }
};

// One plane of frequencies, at z = k: transformed along x, then along y.
void transformPlane(const FrequencyDesign& design, const std::array<AxisWaves, 3>& waves, std::int64_t k,
                    ComplexArray& row, ComplexArray& plane) {
  const auto& [along, down, deep] = waves;
  plane.clear();
  for (std::int64_t j = -down.most; j <= down.most; ++j) {
    row.clear();
    for (std::int64_t i = -along.most; i <= along.most; ++i) {
      const double response = design.response({along.frequency(i), down.frequency(j), deep.frequency(k)});
      if (response == 0) continue;
      const double *c = along.cosines(i), *s = along.sines(i);
      for (std::int64_t x = 0; x < along.places; ++x) {
        row.real[static_cast<std::size_t>(x)] += response * c[x];
        row.imaginary[static_cast<std::size_t>(x)] += response * s[x];
      }
    }
    for (std::int64_t y = 0; y < down.places; ++y) {
      const double c = down.cosines(j)[y], s = down.sines(j)[y];
      double* real = plane.real.data() + y * along.places;
      double* imaginary = plane.imaginary.data() + y * along.places;
      for (std::int64_t x = 0; x < along.places; ++x) {
        const double a = row.real[static_cast<std::size_t>(x)], b = row.imaginary[static_cast<std::size_t>(x)];
        real[x] += a * c - b * s;
        imaginary[x] += a * s + b * c;
      }
    }
  }
}

// Half of the planes: the others are their mirror images.
void transform(const FrequencyDesign& design, const std::array<AxisWaves, 3>& waves, std::vector<double>& taps) {
  const auto& [along, down, deep] = waves;
  const std::int64_t count = along.places * down.places;
  ComplexArray row(along.places), plane(count);
  for (std::int64_t k = 0; k <= deep.most; ++k) {
    transformPlane(design, waves, k, row, plane);
    const double share = (k > 0 ? 2 : 1) / static_cast<double>(along.frequencies * down.frequencies * deep.frequencies);
    for (std::int64_t z = 0; z < deep.places; ++z) {
      // Odd ones are mirrored, because taps are correlated with the data.
      const double c = share * (design.odd ? -deep.sines(k)[z] : deep.cosines(k)[z]);
      const double s = share * (design.odd ? deep.cosines(k)[z] : deep.sines(k)[z]);
      double* to = taps.data() + z * count;
      for (std::int64_t i = 0; i < count; ++i)
        to[i] += c * plane.real[static_cast<std::size_t>(i)] - s * plane.imaginary[static_cast<std::size_t>(i)];
    }
  }
}

std::vector<double> windowOf(const FrequencyDesign& design) {
  std::vector<double> product{1};
  for (std::size_t a = 3; a-- > 0;) {
    std::vector<double> longer;
    for (const double outer : product)
      for (std::int64_t x = -design.radius[a]; x <= design.radius[a]; ++x)
        longer.push_back(outer * (design.window == "none" ? 1.0
                                                          : windowWeight(design.window, static_cast<double>(x),
                                                                         static_cast<double>(design.radius[a]))));
    product = std::move(longer);
  }
  return product;
}

double sumOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

// The inverse transform of the response, sampled at 4 radius + 1 frequencies along each axis, cut off at the radius by
// the product of windows along the axes; a multiple of these windows is added so that the taps have the wanted sum.
// Even taps are symmetric about the center and odd ones antisymmetric, exactly. Throws Error(Usage) for more than
// kMostDesignedTaps. A radius of 15 in three dimensions takes some ten milliseconds.
DenseTaps tapsFrom(const FrequencyDesign& design) {
  const auto& radius = design.radius;
  DenseTaps taps = limitedTaps({2 * radius[0] + 1, 2 * radius[1] + 1, 2 * radius[2] + 1});
  const std::array<AxisWaves, 3> waves{AxisWaves(radius[0]), AxisWaves(radius[1]), AxisWaves(radius[2])};
  std::vector<double>& weights = taps.weights;
  transform(design, waves, weights);
  const std::vector<double> window = windowOf(design);
  const std::size_t last = weights.size() - 1;
  for (std::size_t i = 0; 2 * i <= last; ++i) {
    const double both = (design.odd ? weights[i] - weights[last - i] : weights[i] + weights[last - i]) / 2 * window[i];
    weights[i] = both;
    weights[last - i] = design.odd ? -both : both;
  }
  if (design.odd) {
    weights[last / 2] = 0;
    return taps;
  }
  const double missing = (design.mean - sumOf(weights)) / sumOf(window);
  for (std::size_t i = 0; i <= last; ++i) weights[i] += missing * window[i];
  return taps;
}

using Frequency = std::array<double, 3>;

constexpr std::int64_t kLongestByItself = 15;  // of a radius that is not specified

// The given radius or, if it is 0, `wanted` voxels along each axis.
std::array<std::int64_t, 3> radiusOf(const OptionValues& values, const FilterGrid& grid,
                                     const std::array<double, 3>& wanted) {
  const std::int64_t given = integerOf(values, "radius");
  std::array<std::int64_t, 3> radius{0, 0, 0};
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a)
    radius[a] = given > 0
                    ? given
                    : std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(wanted[a])), 2, kLongestByItself);
  return radius;
}

std::array<double, 3> scaledBy(std::array<double, 3> lengths, double factor) {
  for (double& length : lengths) length *= factor;
  return lengths;
}

double dotOf(const Frequency& a, const Frequency& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// The frequency in units of that of a wave with this length along each axis.
Frequency relativeTo(const std::array<double, 3>& wavelength, const Frequency& f) {
  return {f[0] * wavelength[0], f[1] * wavelength[1], f[2] * wavelength[2]};
}

Stencil stencilOf(const FrequencyDesign& design) {
  Stencil stencil;
  stencil.dense = tapsFrom(design);
  return factored(std::move(stencil));
}

// D. Field, Relations between the statistics of natural images and the response properties of cortical cells, 1987:
// a gaussian of the logarithm of the frequency; times one of the angle to the direction. Twice the half on the
// direction's side would be the analytic filter; its real part is even and its imaginary part odd.
Stencil makeLogGabor(const OptionValues& values, const FilterGrid& grid) {
  const auto unit = directionOf(values, grid);
  const auto wavelength = voxelsAlongAxes(values, "wavelength", grid);
  const double octaves = std::log(realOf(values, "bandwidth"));
  const double wide = realOf(values, "width") * std::numbers::pi / 180;
  const bool odd = textOf(values, "phase") == "odd";
  FrequencyDesign design;
  design.odd = odd;
  design.window = textOf(values, "window");
  constexpr double kDeviations = 3;  // of the taps' envelope, along and across the direction
  design.radius =
      radiusOf(values, grid,
               scaledBy(wavelength, kDeviations / (2 * std::numbers::pi * std::min({std::abs(octaves), wide, 1.0}))));
  design.response = [=](const Frequency& f) {
    const Frequency relative = relativeTo(wavelength, f);
    const double square = dotOf(relative, relative);
    if (square == 0) return 0.0;
    constexpr double kNothing = 40;  // its exponential
    const double ratio = std::log(square) / (2 * octaves), radial = ratio * ratio / 2;
    if (radial > kNothing) return 0.0;
    const double angle = std::acos(std::clamp(dotOf(relative, unit) / std::sqrt(square), -1.0, 1.0));
    const auto lobe = [&](double from) {
      const double exponent = radial + from * from / (2 * wide * wide);
      return exponent > kNothing ? 0.0 : std::exp(-exponent);
    };
    const double ahead = lobe(angle), behind = lobe(std::numbers::pi - angle);
    return odd ? ahead - behind : ahead + behind;
  };
  return stencilOf(design);
}

// S. Butterworth, On the theory of filter amplifiers, 1930: gains of 1 / sqrt(1 + (f / c)^(2 n)), of the magnitude of
// the frequency; a band is a high pass times a low pass.
Stencil makeButterworth(const OptionValues& values, const FilterGrid& grid) {
  const auto cutoff = voxelsAlongAxes(values, "wavelength", grid);
  const auto order = static_cast<double>(integerOf(values, "order"));
  const std::string& pass = textOf(values, "pass");
  const auto upper = pass == "band" ? voxelsAlongAxes(values, "shortest", grid) : cutoff;
  if (pass == "band" && upper[0] >= cutoff[0])
    throw Error(ErrorKind::Usage,
                "the band of waves from shortest=" + quoted(values.at("shortest")) +
                    " to wavelength=" + quoted(values.at("wavelength")) + " is empty",
                "choose a smaller shortest");
  FrequencyDesign design;
  design.window = textOf(values, "window");
  constexpr double kWaves = 1.25;  // of the cutoff
  design.radius = radiusOf(values, grid, scaledBy(cutoff, kWaves));
  design.mean = pass == "low" ? 1 : 0;
  design.response = [=](const Frequency& f) {
    const auto power = [&](const std::array<double, 3>& wavelength) {
      const Frequency relative = relativeTo(wavelength, f);
      return std::pow(dotOf(relative, relative), order);
    };
    const double low = 1 / std::sqrt(1 + power(upper));
    if (pass == "low") return low;
    const double high = power(cutoff);
    const double passed = high > 1 ? 1 / std::sqrt(1 + 1 / high) : std::sqrt(high / (1 + high));
    return pass == "high" ? passed : passed * low;
  };
  return stencilOf(design);
}

Stencil makeRamp(const OptionValues& values, const FilterGrid& grid) {
  const std::size_t axis = axisOf(values, grid);
  SeparableTerm term;
  term.axis[axis] = rampTaps(integerOf(values, "radius"), textOf(values, "window"));
  Stencil stencil;
  stencil.terms = {term};
  return stencil;
}

// M. Felsberg and G. Sommer, The monogenic signal, 2001; of second order as M. Unser and D. Van De Ville, Wavelet
// steerability and the higher-order Riesz transform, 2010: the power of -i f / |f| along a direction. Only ratios of
// frequencies count, so that edges of voxels may have any unit.
Stencil makeRiesz(const OptionValues& values, const FilterGrid& grid) {
  const auto unit = directionOf(values, grid), edges = voxelEdges(values, grid);
  FrequencyDesign design;
  design.odd = integerOf(values, "order") == 1;
  design.window = textOf(values, "window");
  const auto radius = static_cast<double>(integerOf(values, "radius"));
  design.radius = radiusOf(values, grid, {radius, radius, radius});
  const bool odd = design.odd;
  design.response = [=](const Frequency& perVoxel) {
    const Frequency f{perVoxel[0] / edges[0], perVoxel[1] / edges[1], perVoxel[2] / edges[2]};
    const double square = dotOf(f, f);
    if (square == 0) return 0.0;
    const double along = dotOf(f, unit);
    return odd ? along / std::sqrt(square) : -along * along / square;
  };
  return stencilOf(design);
}

}  // namespace

std::vector<FilterFamily> frequencyFamilies() {
  constexpr std::int64_t kLongest = 31;
  const auto radius = [](std::int64_t fallback, std::int64_t least, const char* help) {
    Option option = integerOption("radius", "Radius", fallback, least, kLongest, help);
    option.unit = "voxels";
    option.sliderMaximum = static_cast<double>(kLongestByItself);
    return option;
  };
  const Option reach = radius(0, 0, "The reach of the taps: longer is closer to the definition; 0: automatic.");
  const Option window = choiceOption("window", "Window", {"hann", "hamming", "blackman", "none"},
                                     "The window that cuts off the ideal taps.");
  const auto wave = [](const char* name, const char* label, double fallback, const char* help) {
    return lengthOption(name, label, fallback, 2, 64, 20, help);
  };
  return {
      {"loggabor",
       "Log-Gabor",
       "Finds waves of one length and direction, of the same share of lengths at every scale; none of the mean.",
       {wave("wavelength", "Wavelength", 4, "In the middle of the band, in voxels or a length (0.8mm)."),
        realOption("bandwidth", "Bandwidth", 0.65, 0.2, 0.95, "",
                   "Sigma over frequency: 0.75 is about one octave wide, 0.55 two."),
        realOption("width", "Angular width", 25, 5, 180, "degrees",
                   "Standard deviation of the angle to the direction."),
        azimuthOption(), elevationOption(),
        choiceOption("phase", "Phase", {"even", "odd"}, "Even finds lines, odd finds edges: a pair in quadrature."),
        reach,
        choiceOption("window", "Window", {"none", "hann", "hamming", "blackman"},
                     "The window that cuts off the taps, which also fade without one.")},
       makeLogGabor},
      {"butterworth",
       "Butterworth",
       "Keeps waves longer or shorter than a length, alike in all directions and without ripples.",
       {choiceOption("pass", "Pass", {"low", "high", "band"}, "Long waves, short ones, or those between two lengths."),
        wave("wavelength", "Wavelength", 4, "Whose power is halved, in voxels or a length (0.8mm)."),
        wave("shortest", "Shortest", 2.5, "For a band: where it ends, in voxels or a length (0.8mm)."),
        integerOption("order", "Order", 2, 1, 10,
                      "Steepness of the cutoff; a higher order is steeper and needs a longer radius."),
        reach,
        window},
       makeButterworth},
      {"ramp",
       "Ramp",
       "Multiplies waves along one axis by their frequency, as filtered backprojection does.",
       {choiceOption("axis", "Axis", {"x", "y", "z"}, "Direction of the lines."),
        radius(15, 1, "The reach of the taps: longer is closer to the definition."),
        choiceOption("window", "Window", {"ram-lak", "shepp-logan", "cosine", "hamming", "hann"},
                     "The window that weights frequencies, from none to the strongest.")},
       makeRamp},
      {"riesz",
       "Riesz transform",
       "The Hilbert transform along a direction, in all dimensions: turns waves by a quarter, whatever their length.",
       {integerOption("order", "Order", 1, 1, 2, "1: odd, as a slope; 2: applied twice, as a curvature."),
        azimuthOption(), elevationOption(), radius(5, 1, "The reach of the taps: longer is closer to the definition."),
        window,
        choiceOption(kVoxelShape, "Voxels", {"spacing", "cubes"},
                     "Whether frequencies and the direction are those of space, or voxels count as cubes.")},
       makeRiesz},
  };
}

}  // namespace sscope
