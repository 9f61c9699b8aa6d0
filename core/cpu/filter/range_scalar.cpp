// cpu:scalar's means weighted by likeness: one output at a time, compiled with automatic vectorization off.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/cpu/filter/range_kernels.h"

namespace sscope::cpu {

namespace {

template <class T>
constexpr auto& powerOfTwo() {
  if constexpr (sizeof(T) == 4) {
    return kPowerOfTwoF32;
  } else {
    return kPowerOfTwoF64;
  }
}

// For x <= 0; no NaN.
template <class T>
T exp2Of(T x) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr T kRound = sizeof(T) == 4 ? T(kRoundF32) : T(kRoundF64);
  x = std::max(x, T(1 - std::numeric_limits<T>::max_exponent));
  const T rounded = x + kRound;
  const T f = x - (rounded - kRound);
  const auto& c = powerOfTwo<T>();
  T p = c[c.size() - 1];
  for (std::size_t i = c.size() - 1; i-- > 0;) p = p * f + c[i];
  p = p * f + 1;
  return std::bit_cast<T>(static_cast<Bits>(std::bit_cast<Bits>(p) +
                                            (std::bit_cast<Bits>(rounded) << (std::numeric_limits<T>::digits - 1))));
}

template <class T>
void weigh(const WeighJob<T>& job) {
  for (std::int64_t x = 0; x < job.outputs; ++x) {
    const T center = job.in[x];
    const T* exponent = job.exponents;
    T weights = 1, differences = 0, magnitudes = 0;
    for (std::int64_t k = -job.reach[2]; k <= job.reach[2]; ++k) {
      T planeWeights = 0, planeDifferences = 0, planeMagnitudes = 0;
      for (std::int64_t j = -job.reach[1]; j <= job.reach[1]; ++j) {
        const T* from = job.in + x + k * job.plane + j * job.row;
        for (std::int64_t i = -job.reach[0]; i <= job.reach[0]; ++i, ++exponent) {
          const T difference = from[i] - center;
          if (!std::isfinite(difference)) continue;
          const T scaled = difference * job.scale;
          const T weight = exp2Of(*exponent - scaled * scaled);
          planeWeights += weight;
          planeDifferences += weight * difference;
          planeMagnitudes += weight * std::abs(difference);
        }
      }
      weights += planeWeights;
      differences += planeDifferences;
      magnitudes += planeMagnitudes;
    }
    job.sums.weights[x] = weights;
    job.sums.differences[x] = differences;
    if (job.sums.magnitudes != nullptr) job.sums.magnitudes[x] = magnitudes;
  }
}

template <class T>
void shift(const ShiftJob<T>& job) {
  const auto [nx, ny, nz] = job.extent;
  const auto [px, py, pz] = job.patch;
  for (std::int64_t z = -pz; z < nz + pz; ++z) {
    for (std::int64_t y = -py; y < ny + py; ++y) {
      const T* from = job.in + z * job.plane + y * job.row - px;
      for (std::int64_t x = 0; x < nx + 2 * px; ++x) {
        const T scaled = (from[x + job.shift] - from[x]) * job.scale;
        job.squares[x] = scaled * scaled;
      }
      T* line = job.lines + (y + py) * job.outRow;
      for (std::int64_t x = 0; x < nx; ++x) {
        line[x] = job.squares[x];
        for (std::int64_t p = 1; p <= 2 * px; ++p) line[x] += job.squares[x + p];
      }
    }
    for (std::int64_t y = 0; y < ny; ++y) {
      const T* line = job.lines + y * job.outRow;
      T* sum = job.planes + ((z + pz) * ny + y) * job.outRow;
      for (std::int64_t x = 0; x < nx; ++x) {
        sum[x] = line[x];
        for (std::int64_t p = 1; p <= 2 * py; ++p) sum[x] += line[x + p * job.outRow];
      }
    }
  }
  for (std::int64_t z = 0; z < nz; ++z)
    for (std::int64_t y = 0; y < ny; ++y) {
      const T* in = job.in + z * job.plane + y * job.row;
      const std::int64_t out = (z * ny + y) * job.outRow;
      for (std::int64_t x = 0; x < nx; ++x) {
        const T* sum = job.planes + out + x;
        T distance = *sum;
        for (std::int64_t p = 1; p <= 2 * pz; ++p) distance += sum[p * ny * job.outRow];
        if (!std::isfinite(distance)) continue;
        const T weight = exp2Of(job.exponent - std::max(distance - job.floor, T(0)));
        const T difference = in[x + job.shift] - in[x];
        job.sums.weights[out + x] += weight;
        job.sums.differences[out + x] += weight * difference;
        if (job.sums.magnitudes != nullptr) job.sums.magnitudes[out + x] += weight * std::abs(difference);
      }
    }
}

template <class T>
constexpr RangeKernels<T> kernelsOf() {
  return {1, weigh<T>, shift<T>};
}

}  // namespace

const RangeKernelTable& scalarRangeKernels() {
  static const RangeKernelTable table{kernelsOf<float>(), kernelsOf<double>()};
  return table;
}

}  // namespace sscope::cpu
