#pragma once
// Fourier transforms for those who look at spectra, at frequencies in order, instead of filtering by them.

#include <cstdint>
#include <vector>

namespace sscope::cpu {

// Whether there are transforms of this length: fftLengths(), and 512, which no tile has.
[[nodiscard]] bool hasTransform(std::int64_t length);

// Every column of complex numbers in `length` rows of `width` (a multiple of 16), in place: the row r becomes the sum
// over j of row j times exp(2 pi i j k / length), k = transformOrder(length)[r]. By the widest vectors that this
// processor has.
void transformColumns(double* re, double* im, std::int64_t length, std::int64_t width);
[[nodiscard]] std::vector<std::int64_t> transformOrder(std::int64_t length);

}  // namespace sscope::cpu
