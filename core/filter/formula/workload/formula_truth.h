#pragma once
// The reference values of formulas, row by row from the tree, and the errors that roundings may cause.

#include <functional>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/filter/formula/workload/formula_workload.h"

namespace sscope {

// The units of errors.
struct FormulaErrors {
  Precision precision = Precision::f32;   // of the engines
  ElementType output = ElementType::f32;  // of the judged results
  double tolerance = 1;                   // by which magnitudes and scales are multiplied
  std::span<const ConstArrayView>
      scales{};           // f64, the errors of each input; none, or views without data, if there are none
  bool underflow = true;  // numbers below the normal ones may become 0
};

// Sets magnitudes to NaN, so that their elements cannot be judged, if 0 would pass only because of underflow; then any
// other value of that size would pass, too. `without`: the magnitudes without underflow.
void judgeUnderflow(std::span<const double> values, std::span<double> magnitudes, double tolerance,
                    const std::function<std::vector<double>()>& without);

// The values in `box` of the output, components innermost, and unless `magnitudes` is empty those of
// Workload::referenceMagnitude. Rows are shared among all threads.
void formulaTruth(const FormulaWorkload& workload, std::span<const ConstArrayView> inputs, const Box& box,
                  std::span<double> values, std::span<double> magnitudes, const FormulaErrors& errors,
                  const Control& control);

}  // namespace sscope
