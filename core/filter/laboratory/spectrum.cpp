#include "core/filter/laboratory/spectrum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/cpu/filter/fft_spectrum.h"

namespace sscope {

namespace {

using Complex = std::complex<double>;

// exp(2 pi i f (j - anchor)) for each frequency and, fastest, each tap.
std::vector<Complex> waves(const std::vector<double>& frequencies, std::int64_t size, std::int64_t anchor) {
  std::vector<Complex> all;
  all.reserve(frequencies.size() * static_cast<std::size_t>(size));
  for (const double f : frequencies)
    for (std::int64_t j = 0; j < size; ++j) {
      const double turns = f * static_cast<double>(j - anchor);
      all.push_back(std::polar(1.0, 2 * std::numbers::pi * (turns - std::round(turns))));
    }
  return all;
}

// The operator of complex numbers looks for NaN.
inline Complex product(double a, const Complex& b) { return {a * b.real(), a * b.imag()}; }
inline Complex product(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <class T>
Complex dot(const T* values, const Complex* waves, std::int64_t size) {
  Complex sum = 0;
  for (std::int64_t j = 0; j < size; ++j) sum += product(values[j], waves[j]);
  return sum;
}

// Sums along one axis of three (lower and upper: the products of the others' sizes below and above it).
template <class T>
std::vector<Complex> transformed(const std::vector<T>& in, std::int64_t lower, std::int64_t size, std::int64_t upper,
                                 const std::vector<Complex>& waves, const Control& control) {
  const auto count = static_cast<std::int64_t>(waves.size()) / size;
  std::vector<Complex> out(static_cast<std::size_t>(lower * count * upper));
  for (std::int64_t u = 0; u < upper; ++u)
    for (std::int64_t f = 0; f < count; ++f) {
      control.check();
      Complex* to = out.data() + (u * count + f) * lower;
      if (lower == 1) {
        *to = dot(in.data() + u * size, waves.data() + f * size, size);
        continue;
      }
      for (std::int64_t j = 0; j < size; ++j) {
        const Complex wave = waves[static_cast<std::size_t>(f * size + j)];
        const T* from = in.data() + (u * size + j) * lower;
        for (std::int64_t l = 0; l < lower; ++l) to[l] += product(from[l], wave);
      }
    }
  return out;
}

// A box of numbers, x fastest, of which axes are transformed one after the other.
struct Transformed {
  std::array<std::int64_t, 3> size{1, 1, 1};
  std::vector<Complex> values;

  [[nodiscard]] std::int64_t below(std::size_t axis) const {
    return axis == 0 ? 1 : axis == 1 ? size[0] : size[0] * size[1];
  }
  [[nodiscard]] std::int64_t above(std::size_t axis) const {
    return axis == 0 ? size[1] * size[2] : axis == 1 ? size[2] : 1;
  }
};

void addUp(Transformed& box, std::size_t axis, const std::vector<double>& frequencies, std::int64_t anchor,
           const Control& control) {
  box.values = transformed(box.values, box.below(axis), box.size[axis], box.above(axis),
                           waves(frequencies, box.size[axis], anchor), control);
  box.size[axis] = static_cast<std::int64_t>(frequencies.size());
}

// At centered frequencies, as many as there is a transform for: some columns after the other.
void transform(Transformed& box, std::size_t axis, std::int64_t count, std::int64_t anchor, const Control& control) {
  constexpr std::int64_t kTogether = 64;
  const std::vector<std::int64_t> order = cpu::transformOrder(count);
  const std::int64_t lower = box.below(axis), size = box.size[axis], columns = lower * box.above(axis);
  std::vector<Complex> out(static_cast<std::size_t>(count * columns));
  std::vector<double> re(static_cast<std::size_t>(count * kTogether)), im(re.size());
  for (std::int64_t first = 0; first < columns; first += kTogether) {
    control.check();
    const std::int64_t last = std::min(columns, first + kTogether);
    std::ranges::fill(re, 0.0);
    std::ranges::fill(im, 0.0);
    const auto start = [&](std::int64_t column, std::int64_t length) {
      return column / lower * length * lower + column % lower;
    };
    for (std::int64_t j = 0; j < size; ++j) {
      const std::int64_t row = ((j - anchor) % count + count) % count * kTogether;
      for (std::int64_t column = first; column < last; ++column) {
        const Complex value = box.values[static_cast<std::size_t>(start(column, size) + j * lower)];
        re[static_cast<std::size_t>(row + column - first)] += value.real();
        im[static_cast<std::size_t>(row + column - first)] += value.imag();
      }
    }
    cpu::transformColumns(re.data(), im.data(), count, kTogether);
    for (std::int64_t row = 0; row < count; ++row) {
      const std::int64_t place = (order[static_cast<std::size_t>(row)] + count / 2) % count;
      for (std::int64_t column = first; column < last; ++column) {
        const auto from = static_cast<std::size_t>(row * kTogether + column - first);
        out[static_cast<std::size_t>(start(column, count) + place * lower)] = {re[from], im[from]};
      }
    }
  }
  box.values = std::move(out);
  box.size[axis] = count;
}

std::vector<Complex> ofDense(const DenseTaps& taps, const Frequencies& frequencies, bool sums, const Control& control) {
  Transformed box{taps.size, {taps.weights.begin(), taps.weights.end()}};
  // What leaves the fewest numbers comes first: a plane's own frequency before the two axes of the plane.
  std::array<std::size_t, 3> axes{2, 1, 0};
  const auto growth = [&](std::size_t a) {
    return static_cast<double>(frequencies[a].size()) / static_cast<double>(taps.size[a]);
  };
  std::ranges::stable_sort(axes, {}, growth);
  for (const std::size_t a : axes) {
    const auto count = static_cast<std::int64_t>(frequencies[a].size());
    if (!sums && cpu::hasTransform(count) && frequencies[a] == centeredFrequencies(count)) {
      transform(box, a, count, taps.anchor[a], control);
    } else {
      addUp(box, a, frequencies[a], taps.anchor[a], control);
    }
  }
  return std::move(box.values);
}

void addTerm(std::vector<Complex>& sum, const SeparableTerm& term, const Frequencies& frequencies,
             const Control& control) {
  std::array<std::vector<Complex>, 3> lines;
  for (std::size_t a = 0; a < 3; ++a) {
    const AxisTaps& taps = term.axis[a];
    lines[a] = transformed(taps.weights, 1, taps.size(), 1, waves(frequencies[a], taps.size(), taps.anchor), control);
  }
  Complex* to = sum.data();
  for (const Complex z : lines[2]) {
    control.check();
    for (const Complex y : lines[1]) {
      const Complex factor = product(y, z);
      for (const Complex x : lines[0]) *to++ += product(x, factor);
    }
  }
}

}  // namespace

std::vector<double> centeredFrequencies(std::int64_t n) {
  std::vector<double> list;
  for (std::int64_t k = 0; k < n; ++k) list.push_back(static_cast<double>(k - n / 2) / static_cast<double>(n));
  return list;
}

std::vector<std::complex<double>> spectrum(const Stencil& filter, const Frequencies& frequencies,
                                           const Control& control) {
  if (!filter.separable()) return ofDense(filter.dense, frequencies, false, control);
  std::vector<Complex> sum(frequencies[0].size() * frequencies[1].size() * frequencies[2].size());
  for (const SeparableTerm& term : filter.terms) addTerm(sum, term, frequencies, control);
  return sum;
}

std::vector<std::complex<double>> addedUpSpectrum(const DenseTaps& taps, const Frequencies& frequencies,
                                                  const Control& control) {
  return ofDense(taps, frequencies, true, control);
}

double decibels(std::complex<double> value) { return 20 * std::log10(std::abs(value)); }

double phaseDegrees(std::complex<double> value, double least) {
  if (!(std::abs(value) > least)) return std::numeric_limits<double>::quiet_NaN();
  // A real number is not turned to -180 degrees by what rounding left beside it.
  const auto settled = [least](double part) { return std::abs(part) > least ? part : 0.0; };
  return std::atan2(settled(value.imag()), settled(value.real())) * 180 / std::numbers::pi;
}

}  // namespace sscope
