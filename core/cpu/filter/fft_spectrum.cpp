#include "core/cpu/filter/fft_spectrum.h"

#include <algorithm>
#include <span>

#include "core/cpu/filter/fft_kernels.h"
#include "core/cpu/run/simd_level.h"

namespace sscope::cpu {

namespace {

// Complex numbers of which rows are transformed into each other.
struct Plane {
  std::int64_t rows, width;
  std::vector<double> re, im;

  Plane(std::int64_t rowCount, std::int64_t columns)
      : rows(rowCount),
        width((columns + 15) / 16 * 16),
        re(static_cast<std::size_t>(rows * width)),
        im(static_cast<std::size_t>(rows * width)) {}

  [[nodiscard]] std::size_t index(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(row * width + column);
  }
  void transform(const FftKernels<double>& kernels) {
    const FftAxis<double> axis = FftAxis<double>::of(rows);
    kernels.forward({re.data(), im.data(), width, width, &axis});
  }
};

// Only what the taps reach is transformed along x and y.
Plane transformed(const DenseTaps& taps, const std::array<std::int64_t, 3>& length, const FftKernels<double>& kernels) {
  const auto [kx, ky, kz] = taps.size;
  Plane alongX(length[0], ky * kz);
  for (std::int64_t z = 0; z < kz; ++z)
    for (std::int64_t y = 0; y < ky; ++y)
      for (std::int64_t x = 0; x < kx; ++x) alongX.re[alongX.index(x, z * ky + y)] = taps.at(x, y, z);
  alongX.transform(kernels);
  Plane alongY(length[1], kz * length[0]);
  for (std::int64_t y = 0; y < ky; ++y)
    for (std::int64_t z = 0; z < kz; ++z)
      for (std::int64_t x = 0; x < length[0]; ++x) {
        alongY.re[alongY.index(y, z * length[0] + x)] = alongX.re[alongX.index(x, z * ky + y)];
        alongY.im[alongY.index(y, z * length[0] + x)] = alongX.im[alongX.index(x, z * ky + y)];
      }
  alongY.transform(kernels);
  Plane alongZ(length[2], length[1] * length[0]);
  for (std::int64_t z = 0; z < kz; ++z)
    for (std::int64_t y = 0; y < length[1]; ++y)
      for (std::int64_t x = 0; x < length[0]; ++x) {
        alongZ.re[alongZ.index(z, y * length[0] + x)] = alongY.re[alongY.index(y, z * length[0] + x)];
        alongZ.im[alongZ.index(z, y * length[0] + x)] = alongY.im[alongY.index(y, z * length[0] + x)];
      }
  alongZ.transform(kernels);
  return alongZ;
}

}  // namespace

template <class T>
std::vector<T> fftSpectrum(const DenseTaps& taps, const std::array<std::int64_t, 3>& length, SimdLevel level) {
  const Plane all = transformed(taps, length, fftKernels(level).of<double>());
  const std::int64_t lanes = fftKernels(level).of<T>().lanes;
  const double scale = 1 / static_cast<double>(length[0] * length[1] * length[2]);
  std::vector<T> spectrum;
  spectrum.reserve(2 * all.re.size());
  for (std::int64_t group = 0; group < length[1]; group += lanes)
    for (std::int64_t z = 0; z < length[2]; ++z)
      for (std::int64_t x = 0; x < length[0]; ++x) {
        const auto at = [&](std::int64_t y) { return all.index(z, (group + y) * length[0] + x); };
        for (std::int64_t y = 0; y < lanes; ++y) spectrum.push_back(static_cast<T>(scale * all.re[at(y)]));
        for (std::int64_t y = 0; y < lanes; ++y) spectrum.push_back(static_cast<T>(-scale * all.im[at(y)]));
      }
  return spectrum;
}

template std::vector<float> fftSpectrum(const DenseTaps&, const std::array<std::int64_t, 3>&, SimdLevel);
template std::vector<double> fftSpectrum(const DenseTaps&, const std::array<std::int64_t, 3>&, SimdLevel);

namespace {

SimdLevel widestLevel() {
  SimdLevel widest = SimdLevel::Scalar;
  for (const SimdLevel level : kSimdLevels)
    if (absentReason(level).empty()) widest = level;
  return widest;
}

// A stage of radix R makes of a block of n rows R blocks, of the frequencies j, j + R, j + 2 R, ... each.
std::vector<std::int64_t> orderOf(std::span<const int> radices) {
  if (radices.empty()) return {0};
  const std::vector<std::int64_t> inner = orderOf(radices.subspan(1));
  std::vector<std::int64_t> order;
  for (int j = 0; j < radices[0]; ++j)
    for (const std::int64_t k : inner) order.push_back(j + radices[0] * k);
  return order;
}

}  // namespace

bool hasTransform(std::int64_t length) {
  return length == kLongestTransform || std::ranges::find(fftLengths(), length) != fftLengths().end();
}

void transformColumns(double* re, double* im, std::int64_t length, std::int64_t width) {
  const FftAxis<double> axis = FftAxis<double>::of(length);
  // With real and imaginary parts exchanged the sign of the exponent is the other one.
  fftKernels(widestLevel()).f64.forward({im, re, width, width, &axis});
}

std::vector<std::int64_t> transformOrder(std::int64_t length) {
  const FftAxis<double> axis = FftAxis<double>::of(length);
  return orderOf(std::span(axis.radix).first(static_cast<std::size_t>(axis.stages)));
}

}  // namespace sscope::cpu
