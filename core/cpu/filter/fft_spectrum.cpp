#include "core/cpu/filter/fft_spectrum.h"

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

}  // namespace sscope::cpu
