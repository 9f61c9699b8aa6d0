#pragma once
// Denoising a volume with the wavelet transform: the path of `sscope dwt denoise`.

#include <optional>
#include <vector>

#include "core/wavelet/job/transform_job.h"
#include "core/wavelet/shrinkage.h"
#include "core/wavelet/threshold.h"

namespace sscope {

struct DenoiseJob {
  DwtJob dwt;                                // levels: at least 1
  ShrinkageRule rule = ShrinkageRule::Sure;  // finds thresholds per component, where none is given
  std::optional<double> threshold;           // for all bands
  std::optional<double> sigma;               // of the noise; else it is estimated, per component
  ThresholdMode mode = ThresholdMode::Soft;
  // Cycle spinning (R. Coifman and D. Donoho, Translation-invariant de-noising, 1995): the mean over data that are
  // moved by 0 to so many samples, periodically, along each transformed axis: (shifts + 1)^axes transforms there and
  // back. 2^levels - 1 is the undecimated transform's result.
  int shifts = 0;
};
inline constexpr int kMostShifts = 63;

struct DenoiseResult {
  Volume volume;  // the input's extents, f32 or f64
  Pyramid pyramid;
  double sigma = 0;                          // of the noise; of the last component
  std::vector<double> thresholds;            // of each band, without a shift; of the last component
  double zeroShare = 0;                      // coefficients set to zero, of all, 0..1
  RunReport report;                          // of both directions and all shifts together
  std::optional<Verification> verification;  // of the worst
};

// Throws Error(Usage) for thresholds, sigma or shifts that cannot be, and as dwtForward() does; Canceled.
[[nodiscard]] DenoiseResult denoise(const EngineSet& engines, const VariantTable& variants, const DenoiseJob& job,
                                    const Volume& input, const Control& control);

// The levels that are good for denoising data of these extents: three, or as many as there are.
[[nodiscard]] int denoisingLevels(const VolumeShape& shape, int dimensions);

}  // namespace sscope
