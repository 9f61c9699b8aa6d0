#include "core/filter/families/frequency_taps.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/filter/families/axis_designs.h"
#include "core/filter/families/tap_limit.h"

namespace sscope {

namespace {

// The waves of one axis: exp(2 pi i k x / n) for the frequencies k = -most..most and the places x = -radius..radius.
// An odd number of frequencies has none that is its own negative but 0.
struct AxisWaves {
  std::int64_t radius = 0, most = 0, frequencies = 1, places = 1;
  std::vector<double> cosine, sine;  // places fastest

  explicit AxisWaves(std::int64_t given) : radius(given) {
    constexpr std::int64_t kFewest = 8;  // so that responses of short taps are sampled often enough
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
  // Of the frequency number k from -most on.
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
void transformPlane(const FrequencyDesign& design, const std::array<AxisWaves, 3>& waves, std::int64_t k, ComplexArray& row,
                    ComplexArray& plane) {
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

}  // namespace

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

}  // namespace sscope
