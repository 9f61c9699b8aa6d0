#include "core/cpu/filter/fft_axis.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sscope::cpu {

namespace {

struct Radices {
  std::int64_t length;
  std::array<int, 3> radix;
  int stages;
};

// Few stages, because each reads and writes everything once.
constexpr std::array<Radices, 11> kRadices{{{8, {8}, 1},
                                            {16, {4, 4}, 2},
                                            {24, {3, 8}, 2},
                                            {32, {4, 8}, 2},
                                            {48, {3, 4, 4}, 3},
                                            {64, {8, 8}, 2},
                                            {96, {3, 4, 8}, 3},
                                            {128, {4, 4, 8}, 3},
                                            {192, {3, 8, 8}, 3},
                                            {256, {4, 8, 8}, 3},
                                            {kLongestTransform, {8, 8, 8}, 3}}};

}  // namespace

std::span<const std::int64_t> fftLengths() {
  static const auto lengths = [] {
    std::array<std::int64_t, kRadices.size() - 1> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = kRadices[i].length;
    return all;
  }();
  return lengths;
}

template <class T>
FftAxis<T> FftAxis<T>::of(std::int64_t length) {
  FftAxis axis;
  axis.length = length;
  if (length == 1) return axis;
  const Radices& row = *std::ranges::find(kRadices, length, &Radices::length);
  axis.radix = row.radix;
  axis.stages = row.stages;
  std::int64_t block = length;
  for (int s = 0; s + 1 < axis.stages; ++s) {
    const std::int64_t radix = axis.radix[static_cast<std::size_t>(s)];
    for (std::int64_t k = 0; k < block / radix; ++k)
      for (std::int64_t j = 1; j < radix; ++j) {
        const double angle = -2 * std::numbers::pi * static_cast<double>(j * k) / static_cast<double>(block);
        axis.twiddles.push_back(static_cast<T>(std::cos(angle)));
        axis.twiddles.push_back(static_cast<T>(std::sin(angle)));
      }
    block /= radix;
  }
  return axis;
}

template struct FftAxis<float>;
template struct FftAxis<double>;

}  // namespace sscope::cpu
