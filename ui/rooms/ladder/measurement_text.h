#pragma once
// One row of a ladder as text, for tooltips, the table and the explanation.

#include <QString>
#include <set>
#include <string>

#include "core/measure/measurement.h"

namespace sscope {

// "filters 8 · size 7 · unroll 4", without those in `skip`.
[[nodiscard]] QString parametersText(const Measurement& measurement, const std::set<std::string>& skip = {});
// "256 x 256 x 256 u8".
[[nodiscard]] QString shapeText(const Measurement& measurement);
// All details as rich text: times with spread and repetitions, rates, share of the ceiling, verification, or why there
// are no results.
[[nodiscard]] QString measurementTip(const Measurement& measurement);

}  // namespace sscope
