#include "ui/charts/tap_color.h"

#include <algorithm>
#include <cmath>

namespace sscope {

QColor tapColor(double share, const QColor& zero) {
  const QColor full = share >= 0 ? QColor(0xE6, 0x9F, 0x00) : QColor(0x00, 0x72, 0xB2);
  const auto t = static_cast<float>(std::pow(std::min(1.0, std::abs(share)), 0.7));
  return QColor::fromRgbF(zero.redF() + t * (full.redF() - zero.redF()),
                          zero.greenF() + t * (full.greenF() - zero.greenF()),
                          zero.blueF() + t * (full.blueF() - zero.blueF()));
}

QColor inkOn(const QColor& background) { return background.lightnessF() > 0.5F ? Qt::black : Qt::white; }

}  // namespace sscope
