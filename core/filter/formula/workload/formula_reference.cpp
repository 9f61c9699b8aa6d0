// The reference and the judgment of formulas.

#include <cmath>
#include <limits>
#include <vector>

#include "core/filter/formula/workload/formula_truth.h"
#include "core/filter/formula/workload/formula_workload.h"
#include "core/workload/workload.h"

namespace sscope {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Whether a number becomes infinite in single precision.
double converted(double end, ElementType output) {
  constexpr double kLast = 0x1.ffffffp127;  // halfway beyond the largest number
  if (output != ElementType::f32 || std::abs(end) < kLast) return end;
  return std::copysign(kInfinity, end);
}

double toleranceFor(ElementType output) {
  return isInteger(output) ? acceptedTieError(1) : acceptedElementError(output, 1);
}

}  // namespace

double enclosedMagnitude(const Interval& interval, double value, ElementType output, double tolerance) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Interval range = interval;
  if (!range.empty()) {
    range.low = converted(range.low, output);
    range.high = converted(range.high, output);
  }
  if (!range.decided()) return kNan;
  if (range.empty() || std::isinf(range.low)) return 0;
  const double distance = std::max(value - range.low, range.high - value);
  return distance / tolerance;
}

double enclosedMagnitude(const Interval& interval, double value, ElementType output) {
  return enclosedMagnitude(interval, value, output, toleranceFor(output));
}

void FormulaWorkload::reference(std::span<const ConstArrayView> inputs, std::size_t, const Box& box,
                                std::span<double> values, const Control& control) const {
  formulaTruth(*this, inputs, box, values, {}, {}, control);
}

void FormulaWorkload::referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                                         std::span<double> magnitudes, const Control& control) const {
  std::vector<double> values(magnitudes.size());
  referenceBoth(inputs, output, box, values, magnitudes, control);
}

void FormulaWorkload::referenceBoth(std::span<const ConstArrayView> inputs, std::size_t, const Box& box,
                                    std::span<double> values, std::span<double> magnitudes,
                                    const Control& control) const {
  FormulaErrors errors{precision_, setting_.output, toleranceFor(setting_.output), {}};
  formulaTruth(*this, inputs, box, values, magnitudes, errors, control);
  judgeUnderflow(values, magnitudes, errors.tolerance, [&] {
    errors.underflow = false;
    std::vector<double> same(values.size()), without(magnitudes.size());
    formulaTruth(*this, inputs, box, same, without, errors, control);
    return without;
  });
}

}  // namespace sscope
