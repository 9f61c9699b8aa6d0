#pragma once
// Dense taps from a response in frequency.

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "core/filter/stencil.h"

namespace sscope {

// What the taps are to do to waves. Frequencies are in cycles per voxel along x, y and z, each within -1/2..1/2.
struct FrequencyDesign {
  // A real function of the frequency, even or odd. Even: a wave is multiplied by it. Odd: a cosine becomes so much of
  // the sine of the same wave (the response is -i times it).
  std::function<double(const std::array<double, 3>&)> response;
  bool odd = false;
  std::array<std::int64_t, 3> radius{0, 0, 0};  // of the taps; 0 along axes that are left alone
  std::string window = "hann";                  // as windowWeight (axis_designs.h), or "none"
  double mean = 0;                              // the sum that even taps are to have; odd ones have 0
};

// The inverse transform of the response, sampled at 4 radius + 1 frequencies along each axis, cut off at the radius by
// the product of windows along the axes; so much of these windows is added that the taps have the sum. Even taps are
// symmetric about the center and odd ones antisymmetric, exactly. Throws Error(Usage) for more than kMostDesignedTaps.
// A radius of 15 in three dimensions takes some ten milliseconds.
[[nodiscard]] DenseTaps tapsFrom(const FrequencyDesign& design);

}  // namespace sscope
