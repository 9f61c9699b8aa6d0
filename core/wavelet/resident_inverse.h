#pragma once
// An inverse transform of coefficients that lie where an earlier run computed them: each threshold costs neither a copy
// of the coefficients nor one of the result.

#include <optional>

#include "core/base/control.h"
#include "core/engine/resident_array.h"
#include "core/wavelet/threshold.h"

namespace sscope {

class VolumePool;

// What plans of an inverse transform on devices are beside plans.
class ResidentInverse {
 public:
  virtual ~ResidentInverse() = default;
  // The same as Plan::runResident() on applyThreshold() of these coefficients, which stay as they are: the output of
  // Pyramid's extents stays where it is computed. `coefficients` has the type and extents of the workload's input.
  // Empty where they are no longer in the memory of the plan's device. On devices without doubles, thresholds are
  // rounded down to single precision. Throws what runs throw.
  [[nodiscard]] virtual std::optional<ResidentRun> runThresholded(ResidentArray& coefficients,
                                                                  const BandThresholds& thresholds, ThresholdMode mode,
                                                                  VolumePool& memory, const Control& control) = 0;
};

}  // namespace sscope
