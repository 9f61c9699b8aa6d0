#pragma once
// Denoising with the wavelet transform, for `sscope dwt denoise`.

#include <optional>
#include <string>
#include <vector>

#include "core/wavelet/job/transform_job.h"
#include "core/wavelet/shrinkage.h"
#include "core/wavelet/threshold.h"

namespace sscope {

struct DenoiseJob {
  DwtJob dwt;                                // levels: at least 1
  ShrinkageRule rule = ShrinkageRule::Sure;  // finds the thresholds per component, unless one is given
  std::optional<double> threshold;           // for all bands
  std::optional<double> sigma;               // of the noise; empty: estimated per component
  ThresholdMode mode = ThresholdMode::Soft;
  // Cycle spinning (R. Coifman and D. Donoho, Translation-invariant de-noising, 1995): the mean over data shifted
  // periodically by 0 to `shifts` samples along each transformed axis: (shifts + 1)^axes forward and inverse
  // transforms. 2^levels - 1 is the undecimated transform's result.
  int shifts = 0;
};
inline constexpr int kMostShifts = 63;

// Throws Error(Usage) for invalid thresholds, sigma or shifts.
void requireSensible(const DenoiseJob& job);
// Throws Error(BadData) for data with NaN or infinite values: each would spoil all results within the reach of all
// levels in both directions, which is most of the data. Throws Canceled.
void requireFinite(const Volume& input, const Control& control);

struct DenoiseResult {
  Volume volume;  // the input's extents, f32 or f64
  Pyramid pyramid;
  double sigma = 0;                          // of the noise; of the last component
  std::vector<double> thresholds;            // of each band for shift 0; of the last component
  std::string notice;                        // a remark on a component's noise; may be empty
  double zeroShare = 0;                      // share of all coefficients set to zero, 0..1
  RunReport report;                          // of both directions and all shifts
  std::optional<Verification> verification;  // of all transforms
};

// Throws what requireSensible(), requireFinite() and dwtForward() throw.
[[nodiscard]] DenoiseResult denoise(const EngineSet& engines, const VariantTable& variants, const DenoiseJob& job,
                                    const Volume& input, const Control& control);

// The recommended number of levels for data of these extents: three, or the most possible.
[[nodiscard]] int denoisingLevels(const VolumeShape& shape, int dimensions);

}  // namespace sscope
