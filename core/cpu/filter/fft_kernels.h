#pragma once
// The inner loops of filtering by Fourier transforms, compiled once per instruction set. Complex numbers are two
// arrays, real and imaginary parts.

#include <cstdint>

#include "core/cpu/filter/fft_tile.h"
#include "core/cpu/run/simd_level.h"

namespace sscope::cpu {

// axis->length rows of `width` columns; every column is transformed, lanes side by side.
template <class T>
struct FftColumns {
  T *re = nullptr, *im = nullptr;
  std::int64_t row = 0;    // stride in elements
  std::int64_t width = 0;  // a multiple of the lanes
  const FftAxis<T>* axis = nullptr;
};

// As many rows as there are lanes, each of axis->length elements: they are transformed along the row, multiplied by the
// spectrum of the taps and transformed back.
template <class T>
struct FftRows {
  T *re = nullptr, *im = nullptr;
  std::int64_t row = 0;
  const FftAxis<T>* axis = nullptr;
  // For each frequency, in the order of the transform: real parts of all rows, then imaginary parts.
  const T* spectrum = nullptr;
  T* work = nullptr;  // 2 * axis->length * lanes, aligned to 64 bytes
  // What forwardRows left in its work, which is another one then.
  const T* transformed = nullptr;
};

template <class T>
struct RowStatistics {
  T largest = 0;       // magnitude
  double squares = 0;  // sum; NaN or Inf if the row holds either or numbers too large to be squared
};

template <class T>
struct FftKernels {
  std::int64_t lanes = 1;
  void (*forward)(const FftColumns<T>&) = nullptr;
  // Without the division by the length.
  void (*inverse)(const FftColumns<T>&) = nullptr;
  void (*filterRows)(const FftRows<T>&) = nullptr;
  // filterRows in two: forward into `work`, and from `transformed` times the spectrum back into the rows.
  void (*forwardRows)(const FftRows<T>&) = nullptr;
  void (*inverseRows)(const FftRows<T>&) = nullptr;
  RowStatistics<T> (*statistics)(const T* row, std::int64_t count) = nullptr;
  // sums[i] += min(|row[i]|, most)
  void (*addClipped)(const T* row, T most, T* sums, std::int64_t count) = nullptr;
  void (*scale)(T* row, T factor, std::int64_t count) = nullptr;
};

struct FftKernelTable {
  FftKernels<float> f32;
  FftKernels<double> f64;

  template <class T>
  [[nodiscard]] const FftKernels<T>& of() const {
    if constexpr (sizeof(T) == 4) {
      return f32;
    } else {
      return f64;
    }
  }
};

// The kernels of a level that is there (absentReason() empty).
[[nodiscard]] const FftKernelTable& fftKernels(SimdLevel level);
[[nodiscard]] const FftKernelTable& scalarFftKernels();

}  // namespace sscope::cpu
