#pragma once
// What the Wavelet room makes of volumes for the eye, and how far two of them are apart.

#include <memory>
#include <utility>

#include "core/base/control.h"
#include "core/job/wavelet_job.h"
#include "core/volume/volume.h"
#include "core/wavelet/pyramid.h"

namespace sscope {

struct PyramidStatistics {
  double largest = 0;              // largest magnitude of a detail
  double lowest = 0, highest = 0;  // of the averages
};
[[nodiscard]] PyramidStatistics pyramidStatistics(const Volume& coefficients, const Pyramid& pyramid,
                                                  const Control& control);

// a - b in f32, and how large it is. The same shape, f64.
[[nodiscard]] std::pair<std::shared_ptr<const Volume>, VolumeError> compare(const Volume& a, const Volume& b,
                                                                            const Control& control);

// f32 in 0..1: details as logarithms of their magnitudes over four decades below the largest, 0 is 0; the averages
// linearly.
[[nodiscard]] std::shared_ptr<const Volume> pyramidPicture(const Volume& coefficients, const Pyramid& pyramid,
                                                           const PyramidStatistics& statistics, const Control& control);

}  // namespace sscope
