#include "core/volume/transfer_curve.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json.h"

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

// The level of a place on a preset's scale.
double levelOfPlace(PresetScale scale, double place, const LevelCounts& levels, double threshold) {
  switch (scale) {
    case PresetScale::Object:
    case PresetScale::Bright:
      if (place < 0) return std::lerp(threshold, 0.0, -place / 100);
      return place >= 100 ? 255 : std::max(threshold, levelBelow(levels, place / 100, threshold));
    case PresetScale::Magnitudes: {
      // If most values are zero, so are their percentiles; then shares of the largest magnitude are used.
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

// More than eight labels repeat the eight colors.
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
  constexpr double kLeastStep = 3;  // levels: the minimum distance of points with equal percentiles
  constexpr double kLeastBright = 0.01;
  double threshold = otsuSplit(levels).level;
  if (preset.scale == PresetScale::Bright) threshold = std::min(threshold, levelBelow(levels, 1 - kLeastBright));
  TransferCurve curve = preset.curve;
  std::vector<double> at;
  for (const TransferPoint& point : curve.points)
    at.push_back(levelOfPlace(preset.scale, point.value, levels, threshold));
  // Moves points away from the middle of signed data, so that zero keeps its place, and back from the ends.
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

namespace {

constexpr std::size_t kMostPoints = 64;

PresetScale scaleNamed(const std::string& name) {
  if (name == "values") return PresetScale::Values;
  if (name == "object") return PresetScale::Object;
  if (name == "bright") return PresetScale::Bright;
  if (name == "magnitudes") return PresetScale::Magnitudes;
  if (name == "range") return PresetScale::Range;
  if (name == "labels") return PresetScale::Labels;
  throw Error(ErrorKind::BadData, "the scale \"" + name + "\" is unknown",
              "give values, object, bright, magnitudes, range or labels");
}

TransferPreset presetFromJson(const nlohmann::json& json) {
  TransferPreset preset;
  preset.name = json.at("name").get<std::string>();
  preset.title = json.at("title").get<std::string>();
  preset.tip = json.value("tip", std::string());
  const auto kind = parseDataKind(json.at("kind").get<std::string>());
  if (!kind) throw Error(ErrorKind::BadData, "the kind of data of \"" + preset.name + "\" is unknown");
  preset.kind = *kind;
  preset.scale = scaleNamed(json.at("scale").get<std::string>());
  preset.curve.points = pointsFromJson(json.at("points"));
  preset.curve.shaded = json.value("shaded", true);
  preset.curve.nearest = json.value("nearest", false);
  if (preset.curve.points.size() < 2)
    throw Error(ErrorKind::BadData, "the preset \"" + preset.name + "\" has fewer than two points");
  return preset;
}

}  // namespace

std::vector<TransferPreset> presetsFromJson(const nlohmann::json& json) {
  std::vector<TransferPreset> presets;
  try {
    for (const nlohmann::json& each : json) presets.push_back(presetFromJson(each));
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::BadData, std::string("presets of the 3D view cannot be read: ") + error.what());
  }
  return presets;
}

std::span<const TransferPreset> transferPresets() {
  static const std::vector<TransferPreset> all = [] {
    std::vector<TransferPreset> presets;
    for (const TransferFile& file : transferFiles())
      std::ranges::move(presetsFromJson(parseJson(std::string(file.text))), std::back_inserter(presets));
    return presets;
  }();
  return all;
}

const TransferPreset* findPreset(std::string_view name) {
  const auto found = std::ranges::find(transferPresets(), name, &TransferPreset::name);
  return found == transferPresets().end() ? nullptr : &*found;
}

const TransferPreset& defaultPreset(DataKind kind) {
  return *std::ranges::find(transferPresets(), kind, &TransferPreset::kind);
}

std::string colorText(const Rgb& color) {
  const auto byte = [](double share) { return static_cast<unsigned>(std::lround(255 * std::clamp(share, 0.0, 1.0))); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color[0]) & 255U, byte(color[1]) & 255U, byte(color[2]) & 255U);
}

Rgb parseColor(const std::string& text) {
  const bool good = text.size() == 7 && text.front() == '#' &&
                    std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
  if (!good) throw Error(ErrorKind::BadData, "\"" + text.substr(0, 20) + "\" is not a color", "write it as #rrggbb");
  Rgb color{};
  for (std::size_t c = 0; c < 3; ++c) color[c] = std::stoi(text.substr(1 + 2 * c, 2), nullptr, 16) / 255.0;
  return color;
}

nlohmann::json toJson(std::span<const TransferPoint> points) {
  nlohmann::json json = nlohmann::json::array();
  for (const TransferPoint& point : points) json.push_back({point.value, point.opacity, colorText(point.color)});
  return json;
}

std::vector<TransferPoint> pointsFromJson(const nlohmann::json& json) {
  const auto bad = [](const std::string& what) {
    return Error(ErrorKind::BadData, what, "give points as [value, opacity, \"#rrggbb\"] by ascending value");
  };
  if (!json.is_array() || json.size() > kMostPoints)
    throw bad("points of the 3D view must be a list of at most " + std::to_string(kMostPoints));
  std::vector<TransferPoint> points;
  for (const nlohmann::json& each : json) {
    const bool good =
        each.is_array() && each.size() == 3 && each[0].is_number() && each[1].is_number() && each[2].is_string();
    if (!good) throw bad("a point of the 3D view is not a value, an opacity and a color");
    TransferPoint point{each[0].get<double>(), each[1].get<double>(), parseColor(each[2].get<std::string>())};
    if (!std::isfinite(point.value) || !(point.opacity >= 0 && point.opacity <= 1))
      throw bad("a point of the 3D view has no finite value or an opacity that is not from 0 to 1");
    if (!points.empty() && point.value <= points.back().value) throw bad("points of the 3D view do not ascend");
    points.push_back(point);
  }
  return points;
}

}  // namespace sscope
