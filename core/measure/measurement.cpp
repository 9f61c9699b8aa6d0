#include "core/measure/measurement.h"

#include "core/measure/ceiling_store.h"

namespace sscope {

double Measurement::gflops() const {
  const double median = spread().median;
  return median > 0 ? operations / median * 1e-9 : 0;
}

double Measurement::gbs() const {
  const double median = spread().median;
  return median > 0 ? bytes / median * 1e-9 : 0;
}

std::optional<double> Measurement::share() const {
  if (!ceilings || !hasFigures()) return std::nullopt;
  return utilization(*ceilings, precision, operations, bytes, spread().median);
}

}  // namespace sscope
