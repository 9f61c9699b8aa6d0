#pragma once
// The truth of formulas, row by row from the tree, and what roundings may make of it.

#include <functional>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/filter/formula/workload/formula_workload.h"

namespace sscope {

// What errors are counted from, and in what.
struct FormulaErrors {
  Precision precision = Precision::f32;   // of the engines
  ElementType output = ElementType::f32;  // of the results that are judged
  double tolerance = 1;                   // by which magnitudes and scales are multiplied
  std::span<const ConstArrayView>
      scales{};           // f64, of each input's own errors; views without data, and none: it has none
  bool underflow = true;  // numbers below the normal ones may become 0
};

// Makes magnitudes NaN, so that their elements cannot be judged, where 0 would pass only because numbers below the
// normal ones may become 0; then anything else of that size would pass, too. `without`: the magnitudes without
// underflow.
void judgeUnderflow(std::span<const double> values, std::span<double> magnitudes, double tolerance,
                    const std::function<std::vector<double>()>& without);

// The values in `box` of the output, components innermost, and unless `magnitudes` is empty what
// Workload::referenceMagnitude gives. Rows are shared among all threads.
void formulaTruth(const FormulaWorkload& workload, std::span<const ConstArrayView> inputs, const Box& box,
                  std::span<double> values, std::span<double> magnitudes, const FormulaErrors& errors,
                  const Control& control);

}  // namespace sscope
