#pragma once
// The styles of a figure's series in the window.

#include <vector>

#include "core/report/figure_layout.h"

namespace sscope {

// Measured series have their engine's color, with a shade and marker for the rung; published ones are gray, dashed or
// hollow, with the marker of their rung.
[[nodiscard]] std::vector<report::SeriesLook> looksOf(const Figure& figure);

}  // namespace sscope
