#include "core/workload/workload.h"

#include "core/base/error.h"

namespace sscope {

std::string_view toString(Precision precision) { return precision == Precision::f32 ? "f32" : "f64"; }

Box Workload::reach(const Box& /*box*/) const {
  const auto extent = inputs().front().extent;
  return {{0, 0, 0}, {extent[0], extent[1], extent[2]}};
}

std::vector<Range> Workload::reachAlong(std::size_t axis, const Box& box) const {
  const Box read = reach(box);
  return {{read.begin[axis], read.end[axis]}};
}

BoxCost Workload::referenceCost(std::size_t output) const {
  double all = 0;
  const std::vector<ArraySpec> specs = outputs();
  for (const ArraySpec& spec : specs) all += static_cast<double>(spec.elements());
  const double each = referenceSeconds() * static_cast<double>(specs.at(output).extent[3]) / all;
  return [each](const Box& box) { return each * static_cast<double>(box.voxels()); };
}

void throwOtherWorkload(const Workload& workload) {
  throw Error(ErrorKind::Unsupported, "this is another computation than the variant's: " + std::string(workload.name()),
              "choose another variant");
}

}  // namespace sscope
