#include "core/wavelet/job/magic_prediction.h"

#include <algorithm>
#include <cmath>

#include "core/measure/table.h"

namespace sscope {

std::optional<double> predictedMagicSeconds(const MagicWorkload& workload, std::string_view variant,
                                            const std::optional<Ceilings>& ceilings) {
  if (variant != "tuned" || !ceilings || !(ceilings->gflopsF64 > 0) || !(ceilings->gbs > 0)) return std::nullopt;
  const Work work = workload.work();
  return std::max(work.operations / (kMagicArithmeticShare * ceilings->gflopsF64 * 1e9),
                  work.bytes / (ceilings->gbs * 1e9));
}

std::string predictionText(double predicted, double seconds) {
  const double error = seconds / predicted - 1;
  return shortNumber(100 * std::abs(error)) + " % " + (error < 0 ? "less" : "more") + " than the " +
         shortNumber(1e3 * predicted) + " ms that were predicted";
}

}  // namespace sscope
