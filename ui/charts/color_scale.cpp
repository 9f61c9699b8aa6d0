#include "ui/charts/color_scale.h"

#include <algorithm>
#include <array>

namespace sscope {

QColor magnitudeColor(double share) {
  static constexpr std::array<QRgb, 9> kStops{0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C,
                                              0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725};
  const double place = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), kStops.size() - 2);
  const auto t = static_cast<float>(place - static_cast<double>(below));
  const QColor a(kStops[below]), b(kStops[below + 1]);
  return QColor::fromRgbF(a.redF() * (1 - t) + b.redF() * t, a.greenF() * (1 - t) + b.greenF() * t,
                          a.blueF() * (1 - t) + b.blueF() * t);
}

}  // namespace sscope
