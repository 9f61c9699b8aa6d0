#include "core/volume/transfer_curve.h"

#include <algorithm>
#include <cmath>

namespace sscope {

TransferPoint pointAt(const TransferCurve& curve, double value) {
  const auto& points = curve.points;
  const auto after = std::ranges::find_if(points, [&](const TransferPoint& point) { return point.value >= value; });
  TransferPoint out = after == points.end() ? points.back() : *after;
  out.value = value;
  if (after == points.begin() || after == points.end()) return out;
  const TransferPoint &below = *(after - 1), &above = *after;
  const double share = (value - below.value) / (above.value - below.value);
  out.opacity = std::lerp(below.opacity, above.opacity, share);
  for (std::size_t c = 0; c < 3; ++c) out.color[c] = std::lerp(below.color[c], above.color[c], share);
  return out;
}

namespace {

// Where a place on a preset's scale lies among the levels.
double levelOfPlace(PresetScale scale, double place, const LevelCounts& levels, double threshold) {
  switch (scale) {
    case PresetScale::Object:
    case PresetScale::Bright:
      if (place < 0) return std::lerp(threshold, 0.0, -place / 100);
      return place >= 100 ? 255 : std::max(threshold, levelBelow(levels, place / 100, threshold));
    case PresetScale::Magnitudes: {
      // Where most values are zero their percentiles are, too: then by shares of the largest magnitude.
      constexpr double kLeast = 0.06;
      const double share = std::abs(place) / 100;
      const double distance = share >= 1 ? 127.5 : std::max(distanceBelow(levels, share), kLeast * share * 127.5);
      return 127.5 + std::copysign(place == 0 ? 0 : distance, place);
    }
    case PresetScale::Range: return 2.55 * place;
    case PresetScale::Values:
    case PresetScale::Labels: break;
  }
  return levels.level(place);
}

// Many labels have the eight colors in turn.
TransferCurve ofLabels(const TransferCurve& preset, double most) {
  constexpr double kMostLabels = 255;
  TransferCurve curve = preset;
  const std::size_t colors = preset.points.size() - 1;
  for (double label = preset.points.back().value + 1; label <= std::min(most, kMostLabels); ++label) {
    TransferPoint next = preset.points[1 + (curve.points.size() - 1) % colors];
    next.value = label;
    curve.points.push_back(next);
  }
  return curve;
}

}  // namespace

TransferCurve placeCurve(const TransferPreset& preset, const LevelCounts& levels) {
  if (preset.scale == PresetScale::Values) return preset.curve;
  if (preset.scale == PresetScale::Labels) return ofLabels(preset.curve, levels.high);
  constexpr double kLeastStep = 3;  // levels: points keep apart where percentiles fall together
  constexpr double kLeastBright = 0.01;
  double threshold = otsuSplit(levels).level;
  if (preset.scale == PresetScale::Bright) threshold = std::min(threshold, levelBelow(levels, 1 - kLeastBright));
  TransferCurve curve = preset.curve;
  std::vector<double> at;
  for (const TransferPoint& point : curve.points)
    at.push_back(levelOfPlace(preset.scale, point.value, levels, threshold));
  // Away from the middle of data of both signs, so that zero stays where it is, and back from the ends.
  const bool twoSided = preset.scale == PresetScale::Magnitudes;
  const auto pushUp = [&](auto moves) {
    for (std::size_t i = 1; i < at.size(); ++i)
      if (moves(at[i])) at[i] = std::max(at[i], at[i - 1] + kLeastStep);
  };
  const auto pushDown = [&](auto moves) {
    for (std::size_t i = at.size() - 1; i-- > 0;)
      if (moves(at[i])) at[i] = std::min(at[i], at[i + 1] - kLeastStep);
  };
  pushUp([&](double level) { return !twoSided || level > 127.5; });
  at.back() = std::min(at.back(), 255.0);
  pushDown([&](double level) { return !twoSided || level != 127.5; });
  at.front() = std::max(at.front(), 0.0);
  pushUp([&](double level) { return twoSided && level < 127.5; });
  for (std::size_t i = 0; i < at.size(); ++i) curve.points[i].value = levels.value(at[i]);
  return curve;
}

double startLevel(DataKind kind, const LevelCounts& levels) {
  constexpr double kBone = 250, kBoneShare = 0.002, kSkin = -300;
  switch (kind) {
    case DataKind::Tomography: {
      const auto first = static_cast<std::size_t>(std::clamp(levels.level(kBone), 0.0, 255.0));
      double bone = 0;
      for (std::size_t i = first; i < levels.counts.size(); ++i) bone += static_cast<double>(levels.counts[i]);
      return bone >= kBoneShare * static_cast<double>(levels.total()) ? kBone : kSkin;
    }
    case DataKind::Signed: return levels.value(127.5 + std::max(distanceBelow(levels, 0.97), 8.0));
    case DataKind::Mask: return levels.value(127.5);
    case DataKind::Labels: return 0.5;
    default: return levels.value(otsuSplit(levels).level);
  }
}

}  // namespace sscope
