#pragma once
// Fourier transforms along one axis of a tile: lengths, radices, twiddles.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sscope::cpu {

// Lengths that can be transformed, from short to long. Vectors hold up to 16 numbers; axes whose neighbors share a
// vector have a length that 16 divides.
[[nodiscard]] std::span<const std::int64_t> fftLengths();
// For spectra that are looked at; tiles of it would not stay in the caches.
inline constexpr std::int64_t kLongestTransform = 512;

// How one length is transformed, in place: forward by decimation in frequency, which leaves the frequencies in an order
// of their own, and back from that order by decimation in time. Nobody needs them sorted.
template <class T>
struct FftAxis {
  std::int64_t length = 1;
  std::array<int, 3> radix{};  // of the stages of the forward transform; the last is 4 or 8
  int stages = 0;              // 0 for length 1
  // For each stage on blocks of n, but the last: for k = 0 .. n / radix - 1, j = 1 .. radix - 1 the real and the
  // imaginary part of exp(-2 pi i j k / n), rounded from double precision.
  std::vector<T> twiddles;

  // `length` is 1, one of fftLengths(), or kLongestTransform.
  static FftAxis of(std::int64_t length);
};

}  // namespace sscope::cpu
