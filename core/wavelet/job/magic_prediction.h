#pragma once
// Predicted time of the magic filter: a cost model of the rung `tuned` based on the measured ceilings.

#include <optional>
#include <string>
#include <string_view>

#include "core/engine/engine.h"
#include "core/wavelet/workload/magic_workload.h"

namespace sscope {

// Share of the register-only multiply-add rate that tuned loops over taps reach in caches
// (docs/dev/performance-notes.md).
inline constexpr double kMagicArithmeticShare = 0.75;

// Seconds in the kernel: counted operations at that share of the peak, or the compulsory bytes at the speed of a copy,
// whichever takes longer. Empty for other variants, which the model does not cover, and without ceilings.
[[nodiscard]] std::optional<double> predictedMagicSeconds(const MagicWorkload& workload, std::string_view variant,
                                                          const std::optional<Ceilings>& ceilings);

// "12 % more than the 3.2 ms that were predicted".
[[nodiscard]] std::string predictionText(double predicted, double seconds);

}  // namespace sscope
