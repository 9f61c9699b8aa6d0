#pragma once
// The means that the 3D view is made of (core/volume/volume_brick.h), also of values that single precision cannot hold.

#include <vector>

#include "core/engine/resident_array.h"

namespace sscope {

struct DisplayMeans {
  std::vector<float> means;  // those of the values, times `scale`
  double scale = 1;          // a power of two; 1 unless the values are too large or too small for single precision
};
// What values of at most this magnitude are multiplied by before they become single precision.
[[nodiscard]] double displayScale(double largestMagnitude);
// Throws what the array throws. Values that need a scale are copied to the host, some slices at once.
[[nodiscard]] DisplayMeans displayMeans(ResidentArray& array, const BrickBlocks& blocks, const Control& control);

}  // namespace sscope
