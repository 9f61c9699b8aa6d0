#include "core/workload/workload.h"

namespace sscope {

std::string_view toString(Precision precision) { return precision == Precision::f32 ? "f32" : "f64"; }

Box Workload::reach(const Box& /*box*/) const {
  const auto extent = inputs().front().extent;
  return {{0, 0, 0}, {extent[0], extent[1], extent[2]}};
}

}  // namespace sscope
