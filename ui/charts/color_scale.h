#pragma once
// Colors for magnitudes: even steps of lightness that color-blind people and gray printers see as well.

#include <QColor>

namespace sscope {

// 0 dark to 1 bright (viridis of matplotlib, S. van der Walt and N. Smith).
[[nodiscard]] QColor magnitudeColor(double share);

}  // namespace sscope
