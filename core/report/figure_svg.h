#pragma once
// Draws figures for the report page: one element of SVG or, for tables, HTML. Every mark has a title to hover over.

#include <string>

#include "core/ladder/figure.h"
#include "core/report/svg.h"

namespace sscope::report {

// Any kind.
[[nodiscard]] std::string draw(const Figure& figure, Palette& palette);

[[nodiscard]] std::string drawCurves(const Figure& figure, Palette& palette);
[[nodiscard]] std::string drawBars(const Figure& figure, Palette& palette);
// Figure::beside.
[[nodiscard]] std::string drawBarsBeside(const Figure& figure, Palette& palette);
[[nodiscard]] std::string drawHeatMaps(const Figure& figure);
[[nodiscard]] std::string drawTable(const Figure& figure);

}  // namespace sscope::report
