#include "core/filter/job/slab_run.h"

#include "core/volume/losses.h"

namespace sscope {

void addPart(RunReport& sum, const RunReport& part, double outputBytes) {
  if (sum.engine.empty()) {
    sum = part;
    return;
  }
  sum.phases += part.phases;
  sum.operations += part.operations;
  sum.executedOperations += part.executedOperations;
  sum.bytes += outputBytes;
  sum.predictedSeconds += part.predictedSeconds;
  sum.tiles += part.tiles;
  sum.writtenOut = sum.writtenOut || part.writtenOut;
  for (std::size_t f = 0; f < sum.saturated.size(); ++f) sum.saturated[f] += part.saturated[f];
}

std::int64_t nonFiniteOf(const std::vector<Volume>& volumes, const Control& control) {
  std::int64_t count = 0;
  for (const Volume& volume : volumes) count += countNonFinite(volume, control);
  return count;
}

}  // namespace sscope
