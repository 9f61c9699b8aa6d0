#pragma once
// Tables of the report page.

#include <span>
#include <string>

#include "core/measure/measurement.h"

namespace sscope::report {

// Every row, those without figures with the reason.
[[nodiscard]] std::string resultsTable(std::span<const Measurement* const> rows);
// The engines of the machine with the ceilings the shares refer to, and absent ones with the reason.
[[nodiscard]] std::string ceilingsTable(const BenchReport& report);

}  // namespace sscope::report
