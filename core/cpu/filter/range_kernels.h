#pragma once
// The inner loops of means weighted by likeness, compiled once per instruction set.

#include <array>
#include <cstdint>

#include "core/cpu/run/simd_level.h"

namespace sscope::cpu {

// 2^x for x <= 0 is 2^n (1 + f q(f)) with n the nearest integer and f = x - n; 0 for x <= -127, or -1023 in double
// precision. Relative error of the polynomials on [-1/2, 1/2]: 7.5e-8 (a minimax fit, 1.3 unit roundoffs) and 2e-16 (a
// Taylor series).
inline constexpr std::array<float, 5> kPowerOfTwoF32{0.6931467652F, 0.2402219474F, 0.0555090792F, 0.0096737025F,
                                                     0.0013233709F};
inline constexpr std::array<double, 12> kPowerOfTwoF64{
    6.931471805599453e-01, 2.402265069591007e-01, 5.550410866482158e-02, 9.618129107628477e-03,
    1.333355814642844e-03, 1.540353039338161e-04, 1.525273380405984e-05, 1.321548679014431e-06,
    1.017808600923970e-07, 7.054911620801123e-09, 4.445538271870811e-10, 2.567843599348821e-11};
// Numbers that are added and subtracted again to round to integers; the low bits of the sum are the integer.
inline constexpr float kRoundF32 = 12582912.0F;
inline constexpr double kRoundF64 = 6755399441055744.0;

// The results of a row or a tile; `magnitudes`, if not null: the weighted magnitudes of the differences.
template <class T>
struct RangeSumsAt {
  T* weights = nullptr;
  T* differences = nullptr;
  T* magnitudes = nullptr;
};

// A row: for x < outputs, from in[x] as the center, over the box |i| <= reach[0], |j| <= reach[1], |k| <= reach[2] of
// values v = in[x + i + j row + k plane], sums of w = 2^(exponents - (scale (v - in[x]))^2) and w (v - in[x]).
template <class T>
struct WeighJob {
  const T* in = nullptr;
  std::int64_t row = 0, plane = 0;  // strides
  std::array<std::int64_t, 3> reach{};
  const T* exponents = nullptr;  // of the box, x fastest; -infinity at the center
  T scale = 1;
  std::int64_t outputs = 0;  // a multiple of the lanes
  RangeSumsAt<T> sums;       // written; the center's weight, 1, included
};

// A tile and one offset: adds w = 2^(exponent - max(0, D - floor)) and w (v - c) to the sums of each output, where D is
// the scaled sum of squared differences over its patch, between values that are `shift` apart.
template <class T>
struct ShiftJob {
  const T* in = nullptr;            // the first output's center
  std::int64_t row = 0, plane = 0;  // strides
  std::int64_t shift = 0;
  std::array<std::int64_t, 3> extent{};  // of the outputs, the first a multiple of the lanes
  std::array<std::int64_t, 3> patch{};
  T scale = 1, floor = 0, exponent = 0;
  std::int64_t outRow = 0;  // stride of sums, lines and planes
  T* squares = nullptr;     // of a row, wider by the patch and a vector
  T* lines = nullptr;       // of a plane, higher by the patch
  T* planes = nullptr;      // extent[2] + 2 patch[2] planes
  RangeSumsAt<T> sums;
};

template <class T>
struct RangeKernels {
  std::int64_t lanes = 1;
  void (*weigh)(const WeighJob<T>& job) = nullptr;
  void (*shift)(const ShiftJob<T>& job) = nullptr;
};

struct RangeKernelTable {
  RangeKernels<float> f32;
  RangeKernels<double> f64;

  template <class T>
  [[nodiscard]] const RangeKernels<T>& of() const {
    if constexpr (sizeof(T) == 4) {
      return f32;
    } else {
      return f64;
    }
  }
};

// The kernels of an available level (absentReason() empty).
[[nodiscard]] const RangeKernelTable& rangeKernels(SimdLevel level);
[[nodiscard]] const RangeKernelTable& scalarRangeKernels();

}  // namespace sscope::cpu
