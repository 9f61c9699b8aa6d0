#include "core/lattice/wilson_flow.h"

#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/lattice/vector_flow.h"

namespace sscope::lattice {

namespace {
constexpr double kLongestFlow = 1000;
}

WilsonFlow::WilsonFlow(const GaugeField& field, const Control& control)
    : lattice_(field.lattice()),
      flow_(std::make_unique<cpu::VectorFlow>(lattice_, cpu::linkKernels(cpu::widestLevel()))) {
  restart(field, control);
}

WilsonFlow::WilsonFlow(WilsonFlow&&) noexcept = default;
WilsonFlow& WilsonFlow::operator=(WilsonFlow&&) noexcept = default;
WilsonFlow::~WilsonFlow() = default;

void WilsonFlow::restart(const GaugeField& field, const Control& control) { flow_->setLinks(field, control); }

void WilsonFlow::step(double epsilon, const Control& control) { flow_->step(epsilon, control); }

GaugeField WilsonFlow::field(const Control& control) const {
  GaugeField field(lattice_, control);
  flow_->links().copyTo(field, control);
  return field;
}

CloverSums WilsonFlow::sums(const Control& control) const { return sumsOf(densities(control), lattice_); }

CloverPlaneSums WilsonFlow::planeSums(const Control& control) const {
  return planeSumsOf(densities(control), lattice_);
}

cpu::CloverDensities WilsonFlow::densities(const Control& control) const {
  return cpu::cloverDensities(flow_->links(), cpu::linkKernels(cpu::widestLevel()), control);
}

void requireStableFlow(double step) {
  if (!(step > 0)) throw Error(ErrorKind::Usage, "the step of the flow must be above 0", "give 0.01");
  if (step > kLongestFlowStep)
    throw Error(ErrorKind::Usage,
                "the flow is not stable in steps above " + std::to_string(kLongestFlowStep).substr(0, 4) +
                    ": its errors grow from step to step",
                "give a shorter one, as 0.01");
}

FlowSteps flowSteps(double time, double step) {
  if (!(time >= 0) || time > kLongestFlow)
    throw Error(ErrorKind::Usage, "the flow cannot run for the time " + std::to_string(time),
                "give a value from 0 to 1000");
  requireStableFlow(step);
  const auto count = static_cast<std::int64_t>(std::ceil(time / step - 1e-9));
  return {count, count == 0 ? 0 : time / static_cast<double>(count)};
}

GaugeField flowed(GaugeField field, double time, double step, const Control& control) {
  const FlowSteps steps = flowSteps(time, step);
  if (steps.count == 0) return field;
  WilsonFlow flow(field, control);
  for (std::int64_t k = 0; k < steps.count; ++k) {
    control.report(static_cast<double>(k) / static_cast<double>(steps.count), "flow");
    flow.step(steps.epsilon, {control.stop, {}});
  }
  return flow.field(control);
}

}  // namespace sscope::lattice
