#pragma once
// Decides whether the rounding errors of transforms are small enough for the numbers in a tile.

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/cpu/filter/fft_kernels.h"
#include "core/filter/stencil.h"

namespace sscope::cpu {

// Numbers packed into rows and planes; sizes and strides in elements.
template <class T>
struct FftPart {
  T* data = nullptr;
  std::array<std::int64_t, 3> size{};
  std::int64_t row = 0, plane = 0;
};

// The errors of transforms are relative to the largest numbers of a tile, those of sums of products to the numbers
// around an output. Results are judged by the second (docs/dev/decisions/003-error-bound.md), so a tile with a dark
// corner or one huge voxel must not be transformed. The scale of an output, sum |w| |in|, is at least what the smallest
// weights would give if the numbers in the window were all as large as a limit to which they are clipped.
template <class T>
class FftRange {
 public:
  FftRange() = default;
  // taps in tile axes.
  FftRange(const DenseTaps& taps, std::int64_t points);

  struct Magnitudes {
    double largest = 0, rms = 0;  // rms over all points of the transform
    [[nodiscard]] bool zero() const { return largest == 0 && rms == 0; }
  };
  [[nodiscard]] Magnitudes magnitudes(const FftPart<T>& part, const FftKernels<T>& kernels) const;
  // Whether all taps are finite.
  [[nodiscard]] bool finite() const { return std::isfinite(absoluteSum_); }
  // Whether numbers of these magnitudes neither overflow nor underflow in the transform; false if one is NaN or Inf.
  [[nodiscard]] bool moderate(const Magnitudes& magnitudes) const;
  // The findings of filters in one part; filters with equal windows share them.
  struct Found {
    std::array<std::int64_t, 3> begin, window;
    T most;
    double sum;
  };
  // Whether all outputs of the part are within the error bound when it is transformed together with another part, both
  // within `magnitudes`. `scratch` has scratchElements() numbers; `size` is that of a whole tile with its halo; `found`
  // is shared by filters of the same size.
  [[nodiscard]] bool allows(const FftPart<T>& part, const Magnitudes& magnitudes, const FftKernels<T>& kernels,
                            T* scratch, std::vector<Found>& found) const;
  [[nodiscard]] std::int64_t scratchElements(const std::array<std::int64_t, 3>& size) const;

 private:
  // The smallest sum of the cells within a window, over all outputs.
  [[nodiscard]] double smallestSum(const FftPart<T>& part, T most, const FftKernels<T>& kernels, T* scratch) const;
  [[nodiscard]] double knownSum(const FftPart<T>& part, T most, const FftKernels<T>& kernels, T* scratch,
                                std::vector<Found>& found) const;
  // The sum of this many of the smallest weights in the window.
  [[nodiscard]] double smallestWeights(double count) const;

  static constexpr T kNoLimit = std::numeric_limits<T>::infinity();
  std::int64_t points_ = 1, taps_ = 1;
  double absoluteSum_ = 0;
  std::array<std::int64_t, 3> hull_{1, 1, 1};
  std::array<std::int64_t, 3> begin_{}, window_{1, 1, 1};  // a box of the taps, without small weights near the faces
  std::array<std::int64_t, 3> cell_{1, 1, 1}, cells_{1, 1, 1};  // edges of a cell; whole cells in every window
  std::vector<double> upTo_;                                    // sums of the smallest weights of the window
};

}  // namespace sscope::cpu
