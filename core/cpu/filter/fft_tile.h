#pragma once
// Lengths that transforms have, and the tiles that filters by transforms are cut into.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sscope::cpu {

// Fourier transforms along one axis of a tile: lengths, radices, twiddles.

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

// The tiles in which a filter is computed by Fourier transforms, and what they cost.

struct FftTile {
  std::array<std::int64_t, 3> length{0, 0, 0};   // of the transforms, in tile axes; x and y have multiples of 16
  std::array<std::int64_t, 3> outputs{1, 1, 1};  // of one tile: length - taps + 1
  double multiplyAdds = 0;                       // dense ones that take as long as all tiles
  double operations = 0;                         // executed on all tiles
  // Of these: what is the same for all filters with such tiles.
  double sharedMultiplyAdds = 0, sharedOperations = 0;

  [[nodiscard]] std::int64_t points() const { return length[0] * length[1] * length[2]; }
};

// Whether there is a tile for so many taps along each axis, whatever the order of the axes.
[[nodiscard]] bool fftTakes(const std::array<std::int64_t, 3>& taps);
// The cheapest tile for `taps` along each axis and `extent` outputs (x, y, z, components). Length 0: too many taps.
// Depends on nothing but the arguments, because other tiles round differently.
[[nodiscard]] FftTile fftTile(const std::array<std::int64_t, 3>& taps, const std::array<std::int64_t, 4>& extent);

}  // namespace sscope::cpu
