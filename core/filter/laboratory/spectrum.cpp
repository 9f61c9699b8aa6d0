#include "core/filter/laboratory/spectrum.h"

#include <cmath>
#include <limits>
#include <numbers>

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

std::vector<Complex> ofDense(const DenseTaps& taps, const Frequencies& frequencies, const Control& control) {
  const auto of = [&](std::size_t a) { return waves(frequencies[a], taps.size[a], taps.anchor[a]); };
  const auto [nx, ny, nz] = taps.size;
  const auto fy = static_cast<std::int64_t>(frequencies[1].size()),
             fz = static_cast<std::int64_t>(frequencies[2].size());
  // Along z first, where the sums go over whole planes.
  const auto alongZ = transformed(taps.weights, nx * ny, nz, 1, of(2), control);
  const auto alongY = transformed(alongZ, nx, ny, fz, of(1), control);
  return transformed(alongY, 1, nx, fy * fz, of(0), control);
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
  if (!filter.separable()) return ofDense(filter.dense, frequencies, control);
  std::vector<Complex> sum(frequencies[0].size() * frequencies[1].size() * frequencies[2].size());
  for (const SeparableTerm& term : filter.terms) addTerm(sum, term, frequencies, control);
  return sum;
}

double decibels(std::complex<double> value) { return 20 * std::log10(std::abs(value)); }

double phaseDegrees(std::complex<double> value, double least) {
  if (!(std::abs(value) > least)) return std::numeric_limits<double>::quiet_NaN();
  // A real number is not turned to -180 degrees by what rounding left beside it.
  const auto settled = [least](double part) { return std::abs(part) > least ? part : 0.0; };
  return std::atan2(settled(value.imag()), settled(value.real())) * 180 / std::numbers::pi;
}

}  // namespace sscope
