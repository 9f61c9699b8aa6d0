#include "core/io/tiff/tiff_calibration.h"

#include <cmath>
#include <cstdlib>
#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

namespace sscope::io {

using nlohmann::json;

namespace {

constexpr const char* kOurKey = "stencilscope";
constexpr std::size_t kMostNames = 4096;

std::string ourUnit(const std::string& unit) {
  if (unit == "micron" || unit == "microns" || unit == "\\u00B5m" || unit == "\xc2\xb5m" || unit == "\xce\xbcm" ||
      unit == "um")
    return "um";
  if (unit == "pixel" || unit == "pixels" || unit == "inch") return "";
  return unit;
}

// The inverse of what XML makes of text.
std::string unescaped(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}};
  for (const auto& [entity, sign] : kEntities)
    for (std::size_t at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1))
      text.replace(at, entity.size(), sign);
  return text;
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

// As many pages as a file can have; the product of three does not overflow.
std::int64_t countOf(const std::string& text) {
  const double number = std::strtod(text.c_str(), nullptr);
  return number >= 1 && number <= 0x1p20 ? static_cast<std::int64_t>(number) : 1;
}

// attribute="value" of OME's XML, its first of that name.
std::string attribute(const std::string& xml, const std::string& name) {
  const std::size_t at = xml.find(" " + name + "=\"");
  if (at == std::string::npos) return {};
  const std::size_t start = at + name.size() + 3;
  return xml.substr(start, xml.find('"', start) - start);
}

void ome(const std::string& xml, TiffCalibration& result) {
  Geometry& g = result.geometry;
  const char* const names[] = {"PhysicalSizeX", "PhysicalSizeY", "PhysicalSizeZ"};
  for (std::size_t a = 0; a < 3; ++a) {
    const double size = std::strtod(attribute(xml, names[a]).c_str(), nullptr);
    if (size > 0) g.spacing[a] = size;
  }
  const std::string unit = attribute(xml, "PhysicalSizeXUnit");
  if (!attribute(xml, names[0]).empty()) g.unit = unit.empty() ? "um" : ourUnit(unit);
  const double seconds = std::strtod(attribute(xml, "TimeIncrement").c_str(), nullptr);
  if (std::isfinite(seconds) && seconds > 0) result.frameSeconds = seconds;
  const std::string order = attribute(xml, "DimensionOrder");
  const auto has = [&](char axis) { return order.find(axis) != std::string::npos; };
  if (order.size() == 5 && order.starts_with("XY") && has('C') && has('Z') && has('T')) {
    result.order = {order.substr(2), countOf(attribute(xml, "SizeC")), countOf(attribute(xml, "SizeZ")),
                    countOf(attribute(xml, "SizeT"))};
  }
  for (std::size_t at = xml.find("<Channel "); at != std::string::npos && result.channels.size() < kMostNames;
       at = xml.find("<Channel ", at + 1))
    result.channels.push_back(unescaped(attribute(xml.substr(at, xml.find('>', at) - at), "Name")));
  const std::string key = "Namespace=\"" + std::string(kOurKey) + "\"";
  const std::size_t ours = xml.find(key), value = xml.find("<Value>", ours);
  if (ours == std::string::npos || value == std::string::npos) return;
  const std::size_t begin = value + 7;
  static_cast<void>(ourGeometry(unescaped(xml.substr(begin, xml.find("</Value>", begin) - begin)), g));
}

void imageJ(const std::string& description, TiffCalibration& result) {
  Geometry& g = result.geometry;
  result.order.slices = 0;
  std::istringstream lines(description);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string key = line.substr(0, equals), value = line.substr(equals + 1);
    const double number = std::strtod(value.c_str(), nullptr);
    if (key == "unit") g.unit = ourUnit(value);
    if (key == "spacing" && number != 0) g.spacing[2] = std::abs(number);
    if (key == "finterval" && std::isfinite(number) && number > 0) result.frameSeconds = number;
    if (key == "channels") result.order.channels = countOf(value);
    if (key == "frames") result.order.frames = countOf(value);
    if (key == "images") result.images = countOf(value);
    if (key == kOurKey && ourGeometry(value, g)) break;
  }
}

}  // namespace

std::int64_t TiffOrder::place(std::int64_t page, char axis) const {
  for (const char each : axes) {
    const std::int64_t extent = each == 'C' ? channels : each == 'Z' ? slices : frames;
    if (each == axis) return page % extent;
    page /= extent;
  }
  return 0;
}

TiffCalibration parseTiffCalibration(const std::string& description, double xResolution, double yResolution,
                                     int resolutionUnit) {
  TiffCalibration result;
  result.order.slices = 0;
  Geometry& g = result.geometry;
  g.unit = "";
  const double scale = resolutionUnit == 2 ? 25.4 : resolutionUnit == 3 ? 10 : 1;
  if (resolutionUnit == 2 || resolutionUnit == 3) g.unit = "mm";
  const bool isImageJ = description.starts_with("ImageJ=");
  if (resolutionUnit == 2 || resolutionUnit == 3 || isImageJ) {
    if (xResolution > 0) g.spacing[0] = scale / xResolution;
    if (yResolution > 0) g.spacing[1] = scale / yResolution;
  }
  if (description.find("<OME") != std::string::npos) ome(description, result);
  if (isImageJ) imageJ(description, result);
  return result;
}

namespace {

std::string geometryJson(const Geometry& g) {
  const json object = {{"spacing", g.spacing}, {"origin", g.origin}, {"direction", g.direction}, {"unit", g.unit}};
  return object.dump(-1, ' ', true, json::error_handler_t::replace);
}

// In XML's text and attributes.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += c;
    }
  }
  return result;
}

// ImageJ and OME know the same few units; all else is told by our own geometry.
std::string omeUnit(const std::string& unit) {
  if (unit == "um") return "\xc2\xb5m";
  return unit == "nm" || unit == "mm" || unit == "cm" || unit == "m" ? unit : "pixel";
}

std::string nameOf(const Metadata& metadata, std::int64_t channel) {
  const auto at = static_cast<std::size_t>(channel);
  if (at >= metadata.channels.size() || metadata.channels[at].empty()) return {};
  return " Name=\"" + escaped(metadata.channels[at]) + "\"";
}

}  // namespace

std::string formatImageJDescription(const VolumeOutline& volume, const Metadata& metadata, const TiffLayout& layout) {
  const Geometry& g = volume.geometry;
  const TiffOrder& order = layout.order;
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(17);
  text << "ImageJ=1.53t\n";
  // Who reads this number takes the pages from where the first one begins, without a look at the others' places.
  if (layout.contiguous) text << "images=" << order.pages() << "\n";
  if (order.channels > 1) text << "channels=" << order.channels << "\n";
  text << "slices=" << order.slices << "\n";
  if (order.frames > 1) text << "frames=" << order.frames << "\n";
  if (order.channels * order.frames > 1) text << "hyperstack=true\nmode=grayscale\n";
  if (metadata.frameSeconds > 0) text << "finterval=" << metadata.frameSeconds << "\n";
  text << "unit="
       << (g.unit == "um"   ? "micron"
           : g.unit.empty() ? "pixel"
                            : g.unit)
       << "\nspacing=" << g.spacing[2] << "\nloop=false\n"
       << kOurKey << "=" << geometryJson(g) << "\n";
  return text.str();
}

std::string formatOmeDescription(const VolumeOutline& volume, const Metadata& metadata, const TiffLayout& layout) {
  constexpr const char* kTypes[] = {"uint8", "int8", "uint16", "int16", "uint32", "int32", "float", "double"};
  const Geometry& g = volume.geometry;
  const TiffOrder& order = layout.order;
  const std::string unit = omeUnit(g.unit);
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(17);
  text << R"(<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" )"
       << R"(xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" )"
       << R"(xsi:schemaLocation="http://www.openmicroscopy.org/Schemas/OME/2016-06 )"
       << R"(http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd" Creator="Stencilscope">)"
       << R"(<Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYCZT" Type=")"
       << kTypes[static_cast<std::size_t>(volume.type)] << R"(" SizeX=")" << volume.shape.nx << R"(" SizeY=")"
       << volume.shape.ny << R"(" SizeC=")" << order.channels * layout.samples << R"(" SizeZ=")" << order.slices
       << R"(" SizeT=")" << order.frames << '"';
  const char* const axes = "XYZ";
  for (std::size_t a = 0; a < 3; ++a)
    text << " PhysicalSize" << axes[a] << "=\"" << g.spacing[a] << "\" PhysicalSize" << axes[a] << "Unit=\"" << unit
         << '"';
  if (metadata.frameSeconds > 0) text << " TimeIncrement=\"" << metadata.frameSeconds << '"';
  text << '>';
  for (std::int64_t c = 0; c < order.channels; ++c)
    text << "<Channel ID=\"Channel:0:" << c << "\" SamplesPerPixel=\"" << layout.samples << '"' << nameOf(metadata, c)
         << "/>";
  text << R"(<TiffData IFD="0" PlaneCount=")" << order.pages() << R"("/></Pixels></Image>)"
       << R"(<StructuredAnnotations><CommentAnnotation ID="Annotation:0" Namespace=")" << kOurKey << R"("><Value>)"
       << escaped(geometryJson(g)) << "</Value></CommentAnnotation></StructuredAnnotations></OME>";
  return text.str();
}

}  // namespace sscope::io
