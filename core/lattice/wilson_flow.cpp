#include "core/lattice/wilson_flow.h"

#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/lattice/parallel.h"
#include "core/lattice/staples.h"

namespace sscope::lattice {

namespace {

constexpr double kLongestFlow = 1000;

// exponent <- old * exponent + now * epsilon Z(field); then field <- exp(exponent) field.
void stage(GaugeField& field, std::vector<Matrix3>& exponent, double old, double now, double epsilon,
           const Control& control) {
  const std::int64_t volume = field.lattice().volume();
  forPieces(volume, control, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t x = begin; x < end; ++x)
      for (int mu = 0; mu < kDirections; ++mu) {
        Matrix3& sum = exponent[static_cast<std::size_t>(kDirections * x + mu)];
        const Matrix3 force = antihermitianTraceless(field.link(x, mu) * staples(field, x, mu));
        sum *= old;
        sum += (-now * epsilon) * force;
      }
  });
  forPieces(volume, control, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t x = begin; x < end; ++x)
      for (int mu = 0; mu < kDirections; ++mu) {
        Matrix3& link = field.link(x, mu);
        link = exponential(exponent[static_cast<std::size_t>(kDirections * x + mu)]) * link;
      }
  });
}

}  // namespace

GaugeField flowed(GaugeField field, double time, double step, const Control& control, const FlowWatcher& afterStep) {
  if (!(time >= 0) || time > kLongestFlow)
    throw Error(ErrorKind::Usage, "the flow cannot run for the time " + std::to_string(time), "give one in 0 to 1000");
  if (!(step > 0)) throw Error(ErrorKind::Usage, "a step of the flow must be above 0", "give 0.01");
  const auto steps = static_cast<std::int64_t>(std::ceil(time / step - 1e-9));
  const double epsilon = steps > 0 ? time / static_cast<double>(steps) : 0;
  std::vector<Matrix3> exponent(field.links().size());
  for (std::int64_t k = 0; k < steps; ++k) {
    control.report(static_cast<double>(k) / static_cast<double>(steps), "flow");
    // W1 = exp(Z0 / 4) W0; W2 = exp(8/9 Z1 - 17/36 Z0) W1; W3 = exp(3/4 Z2 - (8/9 Z1 - 17/36 Z0)) W2.
    stage(field, exponent, 0, 1.0 / 4, epsilon, control);
    stage(field, exponent, -17.0 / 9, 8.0 / 9, epsilon, control);
    stage(field, exponent, -1, 3.0 / 4, epsilon, control);
    if (afterStep) afterStep(k + 1, field);
  }
  return field;
}

}  // namespace sscope::lattice
