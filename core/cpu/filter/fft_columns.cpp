#include "core/cpu/filter/fft_columns.h"

#include <algorithm>
#include <span>

#include "core/cpu/filter/fft_kernels.h"
#include "core/cpu/run/simd_level.h"

namespace sscope::cpu {

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
