#pragma once
// The truth of formulas, row by row from the tree, and what roundings may make of it.

#include <span>

#include "core/base/control.h"
#include "core/filter/formula/workload/formula_workload.h"

namespace sscope {

// What errors are counted from, and in what.
struct FormulaErrors {
  Precision precision = Precision::f32;   // of the engines
  ElementType output = ElementType::f32;  // of the results that are judged
  double tolerance = 1;                   // by which magnitudes and scales are multiplied
  std::span<const ConstArrayView>
      scales{};  // f64, of each input's own errors; views without data, and none: it has none
};

// The values in `box` of the output, components innermost, and unless `magnitudes` is empty what
// Workload::referenceMagnitude gives. Rows are shared among all threads.
void formulaTruth(const FormulaWorkload& workload, std::span<const ConstArrayView> inputs, const Box& box,
                  std::span<double> values, std::span<double> magnitudes, const FormulaErrors& errors,
                  const Control& control);

}  // namespace sscope
