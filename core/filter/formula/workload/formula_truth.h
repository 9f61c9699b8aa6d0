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
      scales{};           // f64, of each input's own errors; views without data, and none: it has none
  bool underflow = true;  // numbers below the normal ones may become 0
};

// What is said of an element whose error is `with` where numbers below the normal ones may become 0, and `without`
// where they do not: NaN, so that it cannot be judged, where 0 would pass for it only because of that. Then anything
// else of that size would pass, too. Errors are magnitudes, to be multiplied by the tolerance.
[[nodiscard]] double judgeable(double value, double with, double without, double tolerance);
// Whether it takes `without` to tell.
[[nodiscard]] bool mayVanish(double value, double with, double tolerance);

// The values in `box` of the output, components innermost, and unless `magnitudes` is empty what
// Workload::referenceMagnitude gives. Rows are shared among all threads.
void formulaTruth(const FormulaWorkload& workload, std::span<const ConstArrayView> inputs, const Box& box,
                  std::span<double> values, std::span<double> magnitudes, const FormulaErrors& errors,
                  const Control& control);

}  // namespace sscope
