#pragma once
// What to say of a row that is faster than its ceiling allows: that ceiling is not the one that limits it.

#include <string>

#include "core/measure/measurement.h"

namespace sscope {

// Which ceiling the row's median surpasses, and which one it should be compared with or that there is none here, as one
// line without a period; empty for a row that surpasses none or has no figures.
[[nodiscard]] std::string surpassedText(const Measurement& measurement);

}  // namespace sscope
