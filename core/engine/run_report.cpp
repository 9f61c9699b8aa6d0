#include "core/engine/run_report.h"

#include <cstddef>

namespace sscope {

void addPart(RunReport& sum, const RunReport& part, double bytes, double share) {
  if (sum.engine.empty()) {
    sum = part;
    sum.operations = sum.executedOperations = sum.bytes = 0;
  } else {
    sum.phases += part.phases;
    sum.predictedSeconds += part.predictedSeconds;
    sum.tiles += part.tiles;
    sum.writtenOut = sum.writtenOut || part.writtenOut;
    for (std::size_t f = 0; f < sum.saturated.size(); ++f) sum.saturated[f] += part.saturated[f];
  }
  sum.operations += share * part.operations;
  sum.executedOperations += share * part.executedOperations;
  sum.bytes += bytes;
}

}  // namespace sscope
