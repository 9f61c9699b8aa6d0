#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/volume/transfer_curve.h"
#include "core/volume/transfer_files.h"

namespace sscope {

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
  if (!good) throw Error(ErrorKind::BadData, "\"" + text.substr(0, 20) + "\" is no color", "give one as #rrggbb");
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
    throw bad("points of the 3D view are no list of at most " + std::to_string(kMostPoints));
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
