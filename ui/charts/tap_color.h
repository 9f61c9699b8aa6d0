#pragma once
// Colors of taps by sign and magnitude.

#include <QColor>

namespace sscope {

// Blue and orange of Okabe and Ito, toward the background at zero. share: of the largest magnitude, -1..1.
[[nodiscard]] QColor tapColor(double share, const QColor& zero);
// What can be read on it.
[[nodiscard]] QColor inkOn(const QColor& background);

}  // namespace sscope
