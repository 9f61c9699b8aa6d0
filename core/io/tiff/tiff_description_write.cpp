#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/encoding.h"
#include "core/io/tiff/imagej_kept.h"
#include "core/io/tiff/ome_kept.h"
#include "core/io/tiff/tiff_calibration.h"
#include "core/volume/geometry.h"
#include "core/volume/provenance.h"

namespace sscope::io {

using nlohmann::json;

namespace {

// `names`: of channels, too.
std::string geometryJson(const Geometry& g, const Metadata& metadata, bool names) {
  json object = {{"spacing", g.spacing}, {"origin", g.origin}, {"direction", g.direction}, {"unit", g.unit}};
  std::string assumed;
  for (std::size_t a = 0; a < 3; ++a)
    if (g.steps[a] == StepSource::Assumed) assumed += "xyz"[a];
  if (!assumed.empty()) object["assumed"] = assumed;
  if (!metadata.valueUnit.empty()) object["value_unit"] = metadata.valueUnit;
  if (metadata.labels) object["labels"] = true;
  if (metadata.inSpace) object["space"] = "LPS";
  if (names && !metadata.channels.empty()) object["channels"] = metadata.channels;
  return object.dump(-1, ' ', true, json::error_handler_t::replace);
}

// In OME's spelling.
std::string omeUnit(const std::string& unit) {
  if (unit == "um") return "\xc2\xb5m";
  if (unit == "angstrom") return "\xc3\x85";
  if (unit == "inch") return "in";
  return millimetersIn(unit) ? unit : "pixel";
}

std::string nameOf(const Metadata& metadata, std::int64_t channel) {
  const auto at = static_cast<std::size_t>(channel);
  if (at >= metadata.channels.size() || metadata.channels[at].empty()) return {};
  return " Name=\"" + escaped(metadata.channels[at]) + "\"";
}

}  // namespace

std::string formatImageJDescription(const VolumeOutline& volume, const Metadata& metadata, const TiffLayout& layout) {
  const Geometry& g = volume.geometry;
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(17);
  text << "ImageJ=1.53t\n";
  // Who reads this number takes the pages from where the first one begins, without a look at the others' places.
  if (layout.contiguous) text << "images=" << layout.pages() << "\n";
  if (layout.channels > 1) text << "channels=" << layout.channels << "\n";
  text << "slices=" << layout.slices << "\n";
  if (layout.frames > 1) text << "frames=" << layout.frames << "\n";
  if (layout.channels * layout.frames > 1) text << "hyperstack=true\nmode=grayscale\n";
  if (metadata.frameSeconds > 0) text << "finterval=" << metadata.frameSeconds << "\n";
  text << "unit=" << (g.unit == "um" ? "micron" : g.unit.empty() ? "pixel" : g.unit) << "\n";
  if (g.steps[2] != StepSource::Assumed) text << "spacing=" << g.spacing[2] << "\n";
  text << imageJLines(metadata) << "loop=false\n" << kOurTiffKey << "=" << geometryJson(g, metadata, true) << "\n";
  if (!metadata.provenance.empty()) text << kProvenanceKey << "=" << metadata.provenance << "\n";
  return text.str();
}

std::string formatOmeDescription(const VolumeOutline& volume, const Metadata& metadata, const TiffLayout& layout) {
  constexpr const char* kTypes[] = {"uint8", "int8", "uint16", "int16", "uint32", "int32", "float", "double"};
  const Geometry& g = volume.geometry;
  const std::string unit = omeUnit(g.unit);
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(17);
  text << R"( DimensionOrder="XYCZT" Type=")" << kTypes[static_cast<std::size_t>(volume.type)] << R"(" SizeX=")"
       << volume.shape.nx << R"(" SizeY=")" << volume.shape.ny << R"(" SizeC=")" << layout.channels * layout.samples
       << R"(" SizeZ=")" << layout.slices << R"(" SizeT=")" << layout.frames << '"';
  const char* const axes = "XYZ";
  for (std::size_t a = 0; a < 3; ++a)
    if (g.steps[a] != StepSource::Assumed)
      text << " PhysicalSize" << axes[a] << "=\"" << g.spacing[a] << "\" PhysicalSize" << axes[a] << "Unit=\"" << unit
           << '"';
  if (metadata.frameSeconds > 0) text << " TimeIncrement=\"" << metadata.frameSeconds << '"';
  OmePixels pixels;
  pixels.attributes = text.str();
  pixels.channelCount = static_cast<std::size_t>(layout.channels);
  for (std::int64_t c = 0; c < layout.channels; ++c)
    pixels.channels += "<Channel ID=\"Channel:0:" + std::to_string(c) + "\" SamplesPerPixel=\"" +
                       std::to_string(layout.samples) + '"' + nameOf(metadata, c) + "/>";
  pixels.planes = "<TiffData IFD=\"0\" PlaneCount=\"" + std::to_string(layout.pages()) + "\"/>";
  pixels.annotations = R"(<CommentAnnotation ID="Annotation:Stencilscope" Namespace=")" + std::string(kOurTiffKey) +
                       R"("><Value>)" + escaped(geometryJson(g, metadata, false)) + "</Value></CommentAnnotation>";
  if (!metadata.provenance.empty())  // which holds nothing to escape
    pixels.annotations += R"(<CommentAnnotation ID="Annotation:Provenance" Namespace=")" + std::string(kProvenanceKey) +
                          R"("><Value>)" + metadata.provenance + "</Value></CommentAnnotation>";
  for (const auto& [key, value] : metadata.fields)
    if (key == kOmeField)
      if (std::string kept = omeGivenBack(value, pixels); !kept.empty()) return kept;
  return R"(<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" )"
         R"(xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" )"
         R"(xsi:schemaLocation="http://www.openmicroscopy.org/Schemas/OME/2016-06 )"
         R"(http://www.openmicroscopy.org/Schemas/OME/2016-06/ome.xsd" Creator="Stencilscope">)"
         R"(<Image ID="Image:0"><Pixels ID="Pixels:0")" +
         pixels.attributes + ">" + pixels.channels + pixels.planes + "</Pixels></Image><StructuredAnnotations>" +
         pixels.annotations + "</StructuredAnnotations></OME>";
}

}  // namespace sscope::io
