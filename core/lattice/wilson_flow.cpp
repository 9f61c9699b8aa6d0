#include "core/lattice/wilson_flow.h"

#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/cpu/lattice/vector_flow.h"

namespace sscope::lattice {

namespace {

constexpr double kLongestFlow = 1000;

}  // namespace

GaugeField flowed(GaugeField field, double time, double step, const Control& control, const FlowWatcher& afterStep) {
  if (!(time >= 0) || time > kLongestFlow)
    throw Error(ErrorKind::Usage, "the flow cannot run for the time " + std::to_string(time), "give one in 0 to 1000");
  if (!(step > 0)) throw Error(ErrorKind::Usage, "a step of the flow must be above 0", "give 0.01");
  const auto steps = static_cast<std::int64_t>(std::ceil(time / step - 1e-9));
  const double epsilon = steps > 0 ? time / static_cast<double>(steps) : 0;
  if (steps == 0) return field;
  cpu::VectorFlow flow(field.lattice(), cpu::widestLevel());
  flow.setLinks(field, control);
  for (std::int64_t k = 0; k < steps; ++k) {
    control.report(static_cast<double>(k) / static_cast<double>(steps), "flow");
    flow.step(epsilon, control);
    if (afterStep || k + 1 == steps) flow.links().copyTo(field, control);
    if (afterStep) afterStep(k + 1, field);
  }
  return field;
}

}  // namespace sscope::lattice
