#pragma once
// Pictures for the Wavelet room, and the difference of two volumes.

#include <memory>
#include <utility>

#include "core/base/control.h"
#include "core/volume/volume.h"
#include "core/wavelet/job/wavelet_job.h"
#include "core/wavelet/pyramid.h"
#include "core/wavelet/threshold.h"

namespace sscope {

struct PyramidStatistics {
  double largest = 0;              // largest magnitude of a detail
  double lowest = 0, highest = 0;  // of the averages
};
[[nodiscard]] PyramidStatistics pyramidStatistics(const Volume& coefficients, const Pyramid& pyramid,
                                                  const Control& control);

// a - b in f32, and its size. Both have the same shape and real type.
[[nodiscard]] std::pair<std::shared_ptr<const Volume>, VolumeError> differenceAndError(const Volume& a, const Volume& b,
                                                                                       const Control& control);

// u8, 0 to kPyramidWhite: details as logarithms of their magnitudes, over four decades below the largest, 0 as 0; the
// averages linearly. Spacing 1 for the finest level and no unit, since coefficients have no physical position.
inline constexpr int kPyramidWhite = 255;
[[nodiscard]] std::shared_ptr<const Volume> pyramidPicture(const Volume& coefficients, const Pyramid& pyramid,
                                                           const PyramidStatistics& statistics, const Control& control);
// A part of that picture with thresholds applied.
[[nodiscard]] std::shared_ptr<const Volume> pyramidPicture(const Volume& coefficients, const Pyramid& pyramid,
                                                           const PyramidStatistics& statistics, const Box& box,
                                                           const BandThresholds& thresholds, ThresholdMode mode,
                                                           const Control& control);

}  // namespace sscope
