#include "ui/views/view_look.h"

#include <algorithm>
#include <cmath>

namespace sscope {

namespace {

bool isPlain(const ColorUse& colors) { return colors == ColorUse(); }

Rgb rgbOf(const QColor& color) { return {color.redF(), color.greenF(), color.blueF()}; }

double shareOf(const std::array<double, 2>& window, double value) {
  return std::clamp((value - window[0]) / std::max(window[1] - window[0], 1e-300), 0.0, 1.0);
}

// Values at which a curve through a window must have points, with those of a curve.
std::vector<double> placesOf(const TransferCurve& curve, const std::array<double, 2>& window) {
  constexpr int kSteps = 16;
  std::vector<double> places;
  for (const TransferPoint& point : curve.points) places.push_back(point.value);
  for (int step = 0; step <= kSteps; ++step)
    places.push_back(std::lerp(window[0], window[1], static_cast<double>(step) / kSteps));
  std::ranges::sort(places);
  const auto twice = std::ranges::unique(places);
  places.erase(twice.begin(), twice.end());
  return places;
}

bool isTwoSided(const VolumeInsight& insight) { return insight.found.kind == DataKind::Signed; }

// The distance of a value from the background as a share of the window: from its low end, or from the middle of both
// signs.
double awayFromBackground(const VolumeInsight& insight, const std::array<double, 2>& window, double value) {
  const double share = shareOf(window, value);
  return isTwoSided(insight) ? std::abs(2 * share - 1) : share;
}

TransferCurve projectionCurve(const VolumeLook& look, std::size_t side, const VolumeInsight& insight,
                              const SliceLook& slices) {
  // Gray has no invisible color for zero: use a diverging map for both signs.
  const bool twoColors = isTwoSided(insight) && slices.colors.map == ColorMap::Gray;
  const LevelCounts& levels = insight.levels;
  // An automatic window of slices is too narrow for the largest values along rays.
  const std::array<double, 2> window =
      look.linked && slices.chosen ? slices.window : std::array{levels.low, levels.high};
  const TransferCurve preset = compositeCurve(look, side, insight, slices);
  ColorUse colors = slices.colors;
  if (twoColors) colors.map = ColorMap::Diverging;
  constexpr double kClear = 0.03, kFull = 0.15;
  const bool own = look.preset[side] == kOwnLook;
  TransferCurve curve;
  curve.shaded = false;
  curve.nearest = preset.nearest;
  for (const double value : placesOf(preset, window)) {
    TransferPoint point = pointAt(preset, value);
    if (look.linked && !own) point.color = rgbOf(usedColor(colors, shareOf(window, value)));
    const double away = awayFromBackground(insight, window, value);
    point.opacity = std::clamp((away - kClear) / (kFull - kClear), 0.0, 1.0);
    curve.points.push_back(point);
  }
  return curve;
}

}  // namespace

const TransferPreset& presetOf(const VolumeLook& look, std::size_t side, const VolumeInsight& insight) {
  const TransferPreset* chosen = findPreset(look.preset[side]);
  return chosen != nullptr ? *chosen : defaultPreset(insight.found.kind);
}

TransferCurve compositeCurve(const VolumeLook& look, std::size_t side, const VolumeInsight& insight,
                             const SliceLook& slices) {
  TransferCurve curve = placeCurve(presetOf(look, side, insight), insight.levels);
  if (look.preset[side] == kOwnLook && !look.own[side].empty()) {
    curve.points = look.own[side];
    return curve;
  }
  const bool colored = look.linked && !isPlain(slices.colors) && !curve.nearest;
  const bool windowed = look.linked && slices.chosen && !curve.nearest;
  if (!colored && !windowed) return curve;
  const TransferCurve preset = curve;
  curve.points.clear();
  for (const double value : placesOf(preset, slices.window)) {
    TransferPoint point = pointAt(preset, value);
    if (colored) point.color = rgbOf(usedColor(slices.colors, shareOf(slices.window, value)));
    if (windowed) point.opacity *= awayFromBackground(insight, slices.window, value);
    curve.points.push_back(point);
  }
  return curve;
}

TransferCurve shownCurve(const VolumeLook& look, std::size_t side, const VolumeInsight& insight,
                         const SliceLook& slices) {
  const bool projected = look.mode != VolumeMode::Composite && look.mode != VolumeMode::Surface;
  return projected ? projectionCurve(look, side, insight, slices) : compositeCurve(look, side, insight, slices);
}

double surfaceLevel(const VolumeLook& look, std::size_t side, const VolumeInsight& insight) {
  return look.level[side].value_or(startLevel(insight.found.kind, insight.levels));
}

std::vector<double> surfaceLevels(const VolumeLook& look, std::size_t side, const VolumeInsight& insight) {
  const double level = surfaceLevel(look, side, insight);
  if (!look.bothSigns || !isTwoSided(insight) || level == 0) return {level};
  return {level, -level};
}

Rgb surfaceColor(const VolumeLook& look, std::size_t side, const VolumeInsight& insight, const SliceLook& slices,
                 double level) {
  constexpr double kLight = 0.4;  // a lit opaque surface would look darker
  Rgb color = pointAt(compositeCurve(look, side, insight, slices), level).color;
  for (double& channel : color) channel = std::lerp(channel, 1.0, kLight);
  return color;
}

std::string valueUnit(const VolumeInsight& insight) {
  return insight.found.kind == DataKind::Tomography ? "HU" : std::string();
}

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
