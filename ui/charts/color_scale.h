#pragma once
// Colors for numbers: with even steps of lightness, for color-blind people and gray printers.

#include <QColor>
#include <array>
#include <cstdint>

namespace sscope {

// 0 dark to 1 bright (viridis of matplotlib, S. van der Walt and N. Smith).
[[nodiscard]] QColor magnitudeColor(double share);

enum class ColorMap {
  Gray,
  Magnitude,  // as magnitudeColor()
  Diverging,  // dark in the middle, where zero is; cold below, warm above
  Cyclic,     // the same color at both ends, for angles
};
[[nodiscard]] QColor mapColor(ColorMap map, double share);
// The same in 256 steps, 0xffRRGGBB.
using ColorTable = std::array<std::uint32_t, 256>;
[[nodiscard]] const ColorTable& colorTable(ColorMap map);

}  // namespace sscope
