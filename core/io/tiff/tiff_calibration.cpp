#include "core/io/tiff/tiff_calibration.h"

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

namespace sscope::io {

using nlohmann::json;

namespace {

constexpr const char* kOurKey = "stencilscope";

std::string ourUnit(const std::string& unit) {
  if (unit == "micron" || unit == "microns" || unit == "\\u00B5m" || unit == "\xc2\xb5m" || unit == "\xce\xbcm" ||
      unit == "um")
    return "um";
  if (unit == "pixel" || unit == "pixels" || unit == "inch") return "";
  return unit;
}

bool ourGeometry(const std::string& text, Geometry& geometry) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return false;
  try {
    geometry.spacing = object.at("spacing").get<std::array<double, 3>>();
    geometry.origin = object.at("origin").get<std::array<double, 3>>();
    geometry.direction = object.at("direction").get<std::array<double, 9>>();
    geometry.unit = object.at("unit").get<std::string>();
    return true;
  } catch (const json::exception&) {
    return false;
  }
}

// attribute="value" of OME's XML.
std::string attribute(const std::string& xml, const std::string& name) {
  const std::size_t at = xml.find(" " + name + "=\"");
  if (at == std::string::npos) return {};
  const std::size_t start = at + name.size() + 3;
  return xml.substr(start, xml.find('"', start) - start);
}

void ome(const std::string& xml, Geometry& g) {
  const char* const names[] = {"PhysicalSizeX", "PhysicalSizeY", "PhysicalSizeZ"};
  for (std::size_t a = 0; a < 3; ++a) {
    const double size = std::strtod(attribute(xml, names[a]).c_str(), nullptr);
    if (size > 0) g.spacing[a] = size;
  }
  const std::string unit = attribute(xml, "PhysicalSizeXUnit");
  if (!attribute(xml, names[0]).empty()) g.unit = unit.empty() ? "um" : ourUnit(unit);
}

}  // namespace

TiffCalibration parseTiffCalibration(const std::string& description, double xResolution, double yResolution,
                                     int resolutionUnit) {
  TiffCalibration result;
  Geometry& g = result.geometry;
  g.unit = "";
  const double scale = resolutionUnit == 2 ? 25.4 : resolutionUnit == 3 ? 10 : 1;
  if (resolutionUnit == 2 || resolutionUnit == 3) g.unit = "mm";
  const bool imageJ = description.starts_with("ImageJ=");
  if (resolutionUnit == 2 || resolutionUnit == 3 || imageJ) {
    if (xResolution > 0) g.spacing[0] = scale / xResolution;
    if (yResolution > 0) g.spacing[1] = scale / yResolution;
  }
  if (description.find("<OME") != std::string::npos) ome(description, g);
  if (!imageJ) return result;
  std::istringstream lines(description);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string key = line.substr(0, equals), value = line.substr(equals + 1);
    const double number = std::strtod(value.c_str(), nullptr);
    const std::int64_t count = number >= 1 && number < 0x1p31 ? static_cast<std::int64_t>(number) : 1;
    if (key == "unit") g.unit = ourUnit(value);
    if (key == "spacing" && number != 0) g.spacing[2] = std::abs(number);
    if (key == "channels") result.channels = count;
    if (key == "frames") result.frames = count;
    if (key == "images") result.images = count;
    if (key == kOurKey && ourGeometry(value, g)) break;
  }
  return result;
}

std::string formatTiffDescription(const Volume& volume) {
  const Geometry& g = volume.geometry();
  const json object = {{"spacing", g.spacing}, {"origin", g.origin}, {"direction", g.direction}, {"unit", g.unit}};
  const std::string slices = std::to_string(volume.shape().nz);
  std::ostringstream text;
  text << "ImageJ=1.53t\nimages=" << slices << "\nslices=" << slices << "\nunit="
       << (g.unit == "um"   ? "micron"
           : g.unit.empty() ? "pixel"
                            : g.unit)
       << "\nspacing=" << g.spacing[2] << "\nloop=false\n"
       << kOurKey << "=" << object.dump(-1, ' ', true, json::error_handler_t::replace) << "\n";
  return text.str();
}

}  // namespace sscope::io
