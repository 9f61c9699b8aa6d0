#include "ui/charts/color_scale.h"

#include <algorithm>
#include <span>

#include "core/report/display_list.h"

namespace sscope {

namespace {

constexpr std::array<QRgb, 2> kGray{0x000000, 0xFFFFFF};
constexpr std::array<QRgb, 7> kDiverging{0xB4E6FF, 0x4A9BE0, 0x1D4E86, 0x14171B, 0x86401C, 0xE0803A, 0xFFECB8};
// After matplotlib's twilight (B. Smith).
constexpr std::array<QRgb, 9> kTwilight{0xE2D9E2, 0x9EBBC9, 0x6785BE, 0x5E43A5, 0x2F1436,
                                        0x8E2C50, 0xBD6F54, 0xD1B3A6, 0xE2D9E2};

QColor between(std::span<const QRgb> stops, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const auto t = static_cast<float>(place - static_cast<double>(below));
  const QColor a(stops[below]), b(stops[below + 1]);
  return QColor::fromRgbF(a.redF() * (1 - t) + b.redF() * t, a.greenF() * (1 - t) + b.greenF() * t,
                          a.blueF() * (1 - t) + b.blueF() * t);
}

ColorTable tableOf(ColorMap map) {
  ColorTable table{};
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = mapColor(map, static_cast<double>(i) / static_cast<double>(table.size() - 1)).rgb();
  return table;
}

}  // namespace

QColor magnitudeColor(double share) { return QColor(static_cast<QRgb>(report::magnitudeRgb(share))); }

QColor mapColor(ColorMap map, double share) {
  switch (map) {
    case ColorMap::Magnitude: return magnitudeColor(share);
    case ColorMap::Diverging: return between(kDiverging, share);
    case ColorMap::Cyclic: return between(kTwilight, share);
    case ColorMap::Gray: break;
  }
  return between(kGray, share);
}

const ColorTable& colorTable(ColorMap map) {
  static const std::array<ColorTable, 4> tables{tableOf(ColorMap::Gray), tableOf(ColorMap::Magnitude),
                                                tableOf(ColorMap::Diverging), tableOf(ColorMap::Cyclic)};
  return tables[static_cast<std::size_t>(map)];
}

}  // namespace sscope
