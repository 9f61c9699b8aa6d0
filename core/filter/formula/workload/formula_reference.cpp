// The truth of formulas, voxel by voxel from the tree, and what roundings may make of it.

#include <cmath>
#include <limits>

#include "core/filter/formula/formula_interval.h"
#include "core/filter/formula/workload/formula_reads.h"
#include "core/filter/formula/workload/formula_workload.h"
#include "core/volume/rounding.h"
#include "core/workload/tolerance.h"

namespace sscope {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// work(place, reads) for every value of `box` of the output.
template <class Work>
void forEachValue(const FormulaWorkload& workload, std::span<const ConstArrayView> inputs, const Box& box,
                  std::span<double> values, const Control& control, Work work) {
  const FormulaSetting& setting = workload.setting();
  const FormulaReads source(workload, inputs);
  std::vector<double> reads(workload.formula().reads().size());
  FormulaPlace place{{}, setting.volume, setting.spacing};
  std::size_t i = 0;
  for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z)
    for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y)
      for (std::int64_t x = box.begin[0]; x < box.end[0]; ++x) {
        if (i % 64 == 0 || workload.formula().operations() > 1000) control.check();
        place.voxel = {x + setting.region.begin[0], y + setting.region.begin[1], z + setting.region.begin[2]};
        for (std::int64_t c = 0; c < workload.components(); ++c, ++i) {
          source.gather(place.voxel, c, reads);
          values[i] = work(place, reads);
        }
      }
}

// What becomes infinite when it is converted to single precision.
double converted(double end, ElementType output) {
  constexpr double kLast = 0x1.ffffffp127;  // halfway beyond the largest number
  if (output != ElementType::f32 || std::abs(end) < kLast) return end;
  return std::copysign(kInfinity, end);
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
  return enclosedMagnitude(interval, value, output,
                           isInteger(output) ? acceptedTieError(1) : acceptedElementError(output, 1));
}

void FormulaWorkload::reference(std::span<const ConstArrayView> inputs, std::size_t, const Box& box,
                                std::span<double> values, const Control& control) const {
  FormulaEvaluator evaluate(formula_);
  forEachValue(*this, inputs, box, values, control,
               [&](const FormulaPlace& place, std::span<const double> reads) { return evaluate(reads, place); });
}

void FormulaWorkload::referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t, const Box& box,
                                         std::span<double> values, const Control& control) const {
  FormulaEvaluator evaluate(formula_);
  FormulaIntervals enclose(formula_, precision_);
  const IntervalRounding rounding(precision_);
  std::vector<Interval> ranges(formula_.reads().size());
  forEachValue(*this, inputs, box, values, control, [&](const FormulaPlace& place, std::span<const double> reads) {
    for (std::size_t r = 0; r < reads.size(); ++r) {
      ranges[r] = rounding.element(reads[r]);
      // Elements are held by the precision; the value outside need not be.
      if (reads[r] == setting_.constant && setting_.boundary == Boundary::constant)
        ranges[r] = hull(ranges[r], rounding.number(reads[r]));
    }
    return enclosedMagnitude(enclose(ranges, place), evaluate(reads, place), setting_.output);
  });
}

}  // namespace sscope
