#include "core/io/tiff/tiff_calibration.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "core/io/tiff/imagej_kept.h"
#include "core/io/tiff/ome.h"
#include "core/volume/geometry.h"
#include "core/volume/provenance.h"

namespace sscope::io {

using nlohmann::json;

namespace {

bool isUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i++]);
    std::size_t more = c < 0x80                ? 0
                       : c >= 0xc2 && c < 0xe0 ? 1
                       : c >= 0xe0 && c < 0xf0 ? 2
                       : c >= 0xf0 && c < 0xf5 ? 3
                                               : 4;
    if (more == 4) return false;
    for (; more > 0; --more, ++i)
      if (i == text.size() || (static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80) return false;
  }
  return true;
}

// As many pages as a file can have; the product of three does not overflow.
std::int64_t countOf(const std::string& text) {
  const double number = std::strtod(text.c_str(), nullptr);
  return number >= 1 && number <= 0x1p20 ? static_cast<std::int64_t>(number) : 1;
}

double numberIn(const json& object, const char* key) {
  return object.contains(key) && object[key].is_number() ? object[key].get<double>() : 0;
}

std::string textIn(const json& object, const char* key) {
  return object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : std::string();
}

}  // namespace

std::string tiffText(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (isUtf8(text)) return std::string(text);
  std::string result;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x80) result += static_cast<char>(0xc0 | (code >> 6));
    result += code >= 0x80 ? static_cast<char>(0x80 | (code & 0x3f)) : c;
  }
  return result;
}

void TiffCalibration::set(std::size_t axis, double step, const std::string& unit) {
  if (std::isfinite(step) && step != 0) steps[axis] = {std::abs(step), unit, StepSource::Given};
}

std::int64_t TiffOrder::extent(char axis) const {
  std::int64_t product = 1;
  for (const auto& [letter, extent] : axes)
    if (letter == axis) product *= extent;
  return product;
}

std::int64_t TiffOrder::pages() const {
  std::int64_t product = 1;
  for (const auto& [letter, extent] : axes) product *= extent;
  return product;
}

std::int64_t TiffOrder::place(std::int64_t page, char axis) const {
  std::int64_t result = 0, step = 1;
  for (const auto& [letter, extent] : axes) {
    if (letter == axis) {
      result += page % extent * step;
      step *= extent;
    }
    page /= extent;
  }
  return result;
}

std::int64_t TiffOrder::page(std::string_view letters, const std::array<std::int64_t, 3>& places) const {
  std::int64_t page = 0, step = 1;
  for (const auto& [letter, extent] : axes) {
    page += places[letters.find(letter)] * step;
    step *= extent;
  }
  return page;
}

std::optional<TiffOrder> tiffOrder(const std::string& letters, const std::array<std::int64_t, 3>& extents) {
  constexpr std::string_view kAxes = "CZT";
  if (!std::is_permutation(letters.begin(), letters.end(), kAxes.begin(), kAxes.end())) return std::nullopt;
  TiffOrder order;
  for (const char letter : letters) order.axes.emplace_back(letter, extents[kAxes.find(letter)]);
  return order;
}

TiffCalibration calibrationOf(const TiffResolution& resolution) {
  TiffCalibration result;
  const std::string unit = resolution.unit == 2 ? "inch" : resolution.unit == 3 ? "cm" : "";
  if (unit.empty()) return result;
  if (resolution.x > 0) result.set(0, 1 / resolution.x, unit);
  if (resolution.y > 0) result.set(1, 1 / resolution.y, unit);
  // What other programs call the size of such pixels.
  for (AxisStep& step : result.steps) {
    if (step.source != StepSource::Given) continue;
    step = {convertLength(step.step, step.unit, "mm"), "mm", StepSource::Given};
  }
  return result;
}

void takeOurGeometry(const std::string& text, TiffCalibration& calibration) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return;
  try {
    Geometry g;
    g.spacing = object.at("spacing").get<std::array<double, 3>>();
    g.origin = object.at("origin").get<std::array<double, 3>>();
    g.direction = object.at("direction").get<std::array<double, 9>>();
    g.unit = object.at("unit").get<std::string>();
    const std::string assumed = textIn(object, "assumed");
    for (std::size_t a = 0; a < 3; ++a)
      if (assumed.find("xyz"[a]) != std::string::npos) g.steps[a] = StepSource::Assumed;
    calibration.ours = g;
    calibration.labels = object.value("labels", false);
    calibration.inSpace = textIn(object, "space") == "LPS";
    if (calibration.valueUnit.empty()) calibration.valueUnit = textIn(object, "value_unit");
    if (calibration.channels.empty()) calibration.channels = object.value("channels", std::vector<std::string>());
  } catch (const json::exception&) {
    // Damaged: the description itself has the spacing.
  }
}

namespace {

// How ImageJ calibrates values: by the number of a function and its coefficients.
void takeValues(const std::map<std::string, std::string>& lines, Stored stored, TiffCalibration& result) {
  const auto find = [&](const char* key) {
    const auto at = lines.find(key);
    return at == lines.end() ? std::string() : at->second;
  };
  const std::string function = find("cf");
  if (const std::string unit = find("vunit"); unit != "Gray Value") result.valueUnit = unit;
  if (function.empty() || function == "20" || (stored != Stored::u8 && stored != Stored::u16)) return;
  const double c0 = std::strtod(find("c0").c_str(), nullptr), c1 = std::strtod(find("c1").c_str(), nullptr);
  if (function == "0" && std::isfinite(c0) && std::isfinite(c1) && c1 != 0) {
    result.scale = {c1, c0};
    return;
  }
  result.valueUnit.clear();
  result.notices.emplace_back(
      "ImageJ calibrates the values of this file by a function that is no straight line; values are kept as stored");
}

}  // namespace

std::optional<ImageJDescription> parseImageJ(const std::string& text, const TiffResolution& resolution, Stored stored) {
  if (!text.starts_with("ImageJ=")) return std::nullopt;
  std::map<std::string, std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (const std::size_t equals = line.find('='); equals != std::string::npos)
      lines.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  ImageJDescription result;
  TiffCalibration& calibration = result.calibration;
  // The tags' unit is only one of the words that ImageJ knows: its own is what their numbers are in.
  const bool none = resolution.unit == 2 && resolution.x == 72;  // what programs write who do not know
  std::string unit = resolution.unit == 3 ? "cm" : resolution.unit == 2 && !none ? "inch" : "";
  const auto unitOf = [&](const char* key) { return lines.contains(key) ? lines.at(key) : unit; };
  unit = unitOf("unit");
  if (resolution.x > 0) calibration.set(0, 1 / resolution.x, unit);
  if (resolution.y > 0) calibration.set(1, 1 / resolution.y, unitOf("yunit"));
  const auto number = [&](const char* key) {
    return lines.contains(key) ? std::strtod(lines.at(key).c_str(), nullptr) : 0;
  };
  calibration.set(2, number("spacing"), unitOf("zunit"));
  calibration.frameSeconds = secondsOf(number("finterval"), lines.contains("tunit") ? lines.at("tunit") : "");
  if (!std::isfinite(calibration.frameSeconds) || calibration.frameSeconds < 0) calibration.frameSeconds = 0;
  const auto count = [&](const char* key) { return lines.contains(key) ? countOf(lines.at(key)) : 0; };
  std::string letters = lines.contains("order") ? lines.at("order") : "";
  std::transform(letters.begin(), letters.end(), letters.begin(), [](unsigned char c) { return std::toupper(c); });
  const std::array<std::int64_t, 3> extents = {std::max<std::int64_t>(1, count("channels")), count("slices"),
                                               std::max<std::int64_t>(1, count("frames"))};
  result.order = tiffOrder(letters, extents).value_or(*tiffOrder("CZT", extents));
  result.images = count("images");
  takeValues(lines, stored, calibration);
  keepImageJLines(lines, calibration.kept);
  if (lines.contains(kOurTiffKey)) takeOurGeometry(lines.at(kOurTiffKey), calibration);
  if (lines.contains(kProvenanceKey)) calibration.provenance = lines.at(kProvenanceKey);
  return result;
}

std::optional<ShapedDescription> parseShaped(const std::string& text, const TiffResolution& resolution) {
  json object;
  if (text.starts_with("shape=(") && text.ends_with(")")) {
    std::string list = text.substr(7, text.size() - 8);
    if (list.ends_with(',')) list.pop_back();
    object = {{"shape", json::parse("[" + list + "]", nullptr, false)}};
  } else if (text.starts_with('{')) {
    object = json::parse(text, nullptr, false);
  }
  if (!object.is_object() || !object.contains("shape") || !object["shape"].is_array()) return std::nullopt;
  ShapedDescription result;
  double product = 1;
  for (const json& extent : object["shape"]) {
    if (!extent.is_number_unsigned() || extent.get<std::uint64_t>() > 1U << 30) return std::nullopt;
    result.shape.push_back(extent.get<std::int64_t>());
    product *= static_cast<double>(result.shape.back());
  }
  if (!(product >= 1 && product < 0x1p60)) return std::nullopt;
  result.name = textIn(object, "name");
  result.axes = textIn(object, "axes");
  if (result.axes.size() != result.shape.size()) result.axes.clear();
  TiffCalibration& calibration = result.calibration = calibrationOf(resolution);
  const std::string unit = textIn(object, "unit");
  const bool inUnit = !unit.empty() && resolution.unit != 2 && resolution.unit != 3;
  if (inUnit && resolution.x > 0) calibration.set(0, 1 / resolution.x, unit);
  if (inUnit && resolution.y > 0) calibration.set(1, 1 / resolution.y, unit);
  calibration.set(2, numberIn(object, "spacing"), unit);
  for (std::size_t a = 0; a < 3; ++a) {
    const std::string key = std::string("PhysicalSize") + "XYZ"[a], own = textIn(object, (key + "Unit").c_str());
    calibration.set(a, numberIn(object, key.c_str()), own.empty() ? "um" : own);
  }
  calibration.frameSeconds = secondsOf(numberIn(object, "TimeIncrement"), textIn(object, "TimeIncrementUnit"));
  if (const double seconds = numberIn(object, "finterval"); seconds > 0) calibration.frameSeconds = seconds;
  if (const auto at = object.find("Channel"); at != object.end() && at->is_object() && at->contains("Name"))
    for (const json& each : (*at)["Name"])
      if (each.is_string()) calibration.channels.push_back(each.get<std::string>());
  return result;
}

}  // namespace sscope::io
