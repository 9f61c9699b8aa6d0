#include "ui/views/transfer_function.h"

namespace sscope {

TransferFunction ofLevels(const TransferCurve& curve, const LevelCounts& levels) {
  TransferFunction out;
  out.shaded = curve.shaded;
  out.nearest = curve.nearest;
  for (const TransferPoint& point : curve.points) {
    const double level = levels.level(point.value);
    out.colors.push_back({level, point.color});
    out.opacities.push_back({level, point.opacity});
  }
  return out;
}

TransferFunction mappedTransferFunction(ColorMap map) {
  TransferFunction out;
  for (int step = 0; step <= 16; ++step) {
    const QColor color = mapColor(map, step / 16.0);
    out.colors.push_back({255 * step / 16.0, {color.redF(), color.greenF(), color.blueF()}});
  }
  switch (map) {
    case ColorMap::Diverging:
    case ColorMap::CoolWarm:
      out.opacities = {{0, 0.55}, {50, 0.16}, {95, 0}, {160, 0}, {205, 0.16}, {255, 0.55}};
      break;
    case ColorMap::Cyclic:
      out.opacities = {{0, 0.06}, {255, 0.06}};
      out.nearest = true;
      out.shaded = false;
      break;
    default: out.opacities = {{0, 0}, {90, 0}, {150, 0.06}, {205, 0.25}, {255, 0.7}};
  }
  return out;
}

}  // namespace sscope
