#pragma once
// How a figure's series look in the window.

#include <vector>

#include "core/report/figure_layout.h"

namespace sscope {

// Measured series have their engine's color, in a shade and with a marker of the rung's own; published ones are gray,
// dashed or hollow, with the marker of the rung they tell about.
[[nodiscard]] std::vector<report::SeriesLook> looksOf(const Figure& figure);

}  // namespace sscope
