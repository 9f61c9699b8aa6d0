#pragma once
// How long the magic filter should take: a cost model of the rung `tuned`, fed with the measured ceilings.

#include <optional>
#include <string>
#include <string_view>

#include "core/engine/engine.h"
#include "core/wavelet/workload/magic_workload.h"

namespace sscope {

// Of the multiply-adds that registers alone reach; what tuned loops over taps do in caches (docs/performance.md).
inline constexpr double kMagicArithmeticShare = 0.75;

// Seconds in the kernel: counted operations at that share of the peak, or the compulsory bytes at the speed of a copy,
// whichever takes longer. Empty for other variants, which the model knows nothing of, and without ceilings.
[[nodiscard]] std::optional<double> predictedMagicSeconds(const MagicWorkload& workload, std::string_view variant,
                                                          const std::optional<Ceilings>& ceilings);

// "12 % more than the 3.2 ms that were predicted", of what it took.
[[nodiscard]] std::string predictionText(double predicted, double seconds);

}  // namespace sscope
