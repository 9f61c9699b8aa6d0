#pragma once
// A bar a row: the median of its time with whiskers at the quartiles, colored by the kind of engine.

#include <span>
#include <string>

#include "core/measure/measurement.h"

namespace sscope::report {

// SVG; a paragraph that says so where no row has figures.
[[nodiscard]] std::string medianChart(std::span<const Measurement* const> rows);

}  // namespace sscope::report
