#pragma once
// Tables of the report page.

#include <span>
#include <string>

#include "core/measure/measurement.h"

namespace sscope::report {

// All rows; those without results show the reason.
[[nodiscard]] std::string resultsTable(std::span<const Measurement* const> rows);
// The machine's engines with their ceilings, and absent engines with the reason.
[[nodiscard]] std::string ceilingsTable(const BenchReport& report);

}  // namespace sscope::report
