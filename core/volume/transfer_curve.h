#pragma once
// Color and opacity of values in a 3D view, and the presets for kinds of data.

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/volume/data_kind.h"
#include "core/volume/volume_brick.h"

namespace sscope {

using Rgb = std::array<double, 3>;  // 0..1 each

struct TransferPoint {
  double value = 0;
  double opacity = 0;  // 0..1, per hundredth of the data's diagonal
  Rgb color{1, 1, 1};
  bool operator==(const TransferPoint&) const = default;
};

// Linear between its points, and constant beyond the first and the last.
struct TransferCurve {
  std::vector<TransferPoint> points;  // by ascending value
  bool shaded = true;                 // by a lamp at the eye
  bool nearest = false;               // no interpolation between voxels, for labels
  bool operator==(const TransferCurve&) const = default;
};

// Color and opacity of a value. The curve must have points.
[[nodiscard]] TransferPoint pointAt(const TransferCurve& curve, double value);

// The scale of the places of a preset's points.
enum class PresetScale {
  Values,      // values, such as Hounsfield units
  Object,      // percentiles of the voxels above the background (Otsu's threshold); 0 is the threshold, 100 the high
               // end, -100 the low one; linear between the low end and the threshold
  Bright,      // as Object, but at least a hundredth of the voxels is object, for few bright voxels without a gap
  Magnitudes,  // percentiles of the magnitude, with the sign of the value
  Range,       // shares of the range, 0 to 100
  Labels,      // whole numbers; after the last point the colors repeat, but for the background 0
};

struct TransferPreset {
  std::string name;   // "ct-bone"
  std::string title;  // "Bone"
  std::string tip;    // one sentence
  DataKind kind = DataKind::Generic;
  PresetScale scale = PresetScale::Object;
  TransferCurve curve;  // the values are places on the scale
};

// All presets, those of one kind together; the first of a kind is its default. Made from resources/transfer_functions.
[[nodiscard]] std::span<const TransferPreset> transferPresets();
[[nodiscard]] const TransferPreset* findPreset(std::string_view name);  // null: unknown
[[nodiscard]] const TransferPreset& defaultPreset(DataKind kind);
// Parses a file: an array of objects. Throws Error(BadData) that names the preset.
[[nodiscard]] std::vector<TransferPreset> presetsFromJson(const nlohmann::json& json);

// The preset's curve for these data, in their values.
[[nodiscard]] TransferCurve placeCurve(const TransferPreset& preset, const LevelCounts& levels);

// The best initial level of an isosurface: bone for tomographies, else the end of the background.
[[nodiscard]] double startLevel(DataKind kind, const LevelCounts& levels);

// "#rrggbb"; parseColor throws Error(BadData).
[[nodiscard]] std::string colorText(const Rgb& color);
[[nodiscard]] Rgb parseColor(const std::string& text);
// Points as [value, opacity, "#rrggbb"]. pointsFromJson throws Error(BadData) for anything else, for values that do not
// ascend, and for more points than a person can move (64).
[[nodiscard]] nlohmann::json toJson(std::span<const TransferPoint> points);
[[nodiscard]] std::vector<TransferPoint> pointsFromJson(const nlohmann::json& json);

// The files of resources/transfer_functions, as the build embeds them.

struct TransferFile {
  std::string_view name;  // "ct.json"
  std::string_view text;
};

[[nodiscard]] std::span<const TransferFile> transferFiles();

}  // namespace sscope
