#pragma once
// Spectra: of taps for filters by transforms, and of arrays column by column for the laboratory.

#include <array>
#include <cstdint>
#include <vector>

#include "core/cpu/filter/fft_kernels.h"
#include "core/filter/stencil.h"

namespace sscope::cpu {

// The spectrum of a filter's taps, laid out as FftRows takes it.

// Transformed in double precision by the kernels of `level`, then rounded: conjugated, because filters correlate, and
// divided by the number of points, because transforms back are not. For each group of rows as large as a vector of T,
// each z and each x: the real parts of the group's rows, then the imaginary parts. taps and length in tile axes.
template <class T>
[[nodiscard]] std::vector<T> fftSpectrum(const DenseTaps& taps, const std::array<std::int64_t, 3>& length,
                                         SimdLevel level);

// Fourier transforms for those who look at spectra, at frequencies in order, instead of filtering by them.

// Whether there are transforms of this length: fftLengths(), and 512, which no tile has.
[[nodiscard]] bool hasTransform(std::int64_t length);

// Every column of complex numbers in `length` rows of `width` (a multiple of 16), in place: the row r becomes the sum
// over j of row j times exp(2 pi i j k / length), k = transformOrder(length)[r]. By the widest vectors that this
// processor has.
void transformColumns(double* re, double* im, std::int64_t length, std::int64_t width);
[[nodiscard]] std::vector<std::int64_t> transformOrder(std::int64_t length);

}  // namespace sscope::cpu
