#include "core/io/tiff/ome_xml.h"

#include <expat.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

#include "core/io/tiff/tiff_calibration.h"
#include "core/volume/geometry.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

constexpr std::size_t kMostNames = 4096, kMostBlocks = std::size_t{1} << 20, kLongestText = std::size_t{1} << 16;

class OmeReader {
 public:
  Ome ome;
  bool isOme = false;

  void start(std::string_view name, const char** attributes) {
    attributes_ = attributes;
    path_ += '/';
    path_ += withoutPrefix(name);
    text_.clear();
    if (path_ == "/OME") {
      isOme = true;
      ome.uuid = text("UUID");
    } else if (path_ == "/OME/Image") {
      ome.images.emplace_back().name = text("Name");
    } else if (path_ == "/OME/Image/Pixels") {
      pixels(ome.images.back());
    } else if (path_ == "/OME/Image/Pixels/Channel") {
      if (auto& names = ome.images.back().channels; names.size() < kMostNames) names.push_back(text("Name"));
    } else if (path_ == "/OME/Image/Pixels/TiffData") {
      if (auto& data = ome.images.back().data; data.size() < kMostBlocks) data.push_back(block());
    } else if (path_ == "/OME/Image/Pixels/TiffData/UUID") {
      ome.images.back().data.back().file = text("FileName");
    } else if (path_ == "/OME/StructuredAnnotations/CommentAnnotation") {
      namespace_ = text("Namespace");
    }
  }

  void end() {
    if (path_ == "/OME/Image/Pixels/TiffData/UUID") ome.images.back().data.back().uuid = text_;
    if (path_ == "/OME/StructuredAnnotations/CommentAnnotation/Value") {
      if (namespace_ == kOurTiffKey) ome.ourGeometry = text_;
      if (namespace_ == kProvenanceKey) ome.provenance = text_;
    }
    path_.resize(path_.rfind('/'));
    text_.clear();
  }

  void characters(std::string_view more) {
    if (text_.size() + more.size() <= kLongestText) text_ += more;
  }

 private:
  [[nodiscard]] std::string text(std::string_view name) const {
    for (const char** each = attributes_; each[0] != nullptr; each += 2)
      if (withoutPrefix(each[0]) == name) return each[1];
    return {};
  }

  [[nodiscard]] std::optional<std::int64_t> whole(std::string_view name) const {
    const std::string word = text(name);
    std::int64_t number = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
    constexpr std::int64_t kMost = std::int64_t{1} << 20;  // pages that libtiff reads
    if (code != std::errc{} || end != word.data() + word.size() || number < 0 || number > kMost) return std::nullopt;
    return number;
  }

  [[nodiscard]] double positive(std::string_view name) const {
    const std::string word = text(name);
    double number = 0;
    std::from_chars(word.data(), word.data() + word.size(), number);
    return std::isfinite(number) && number > 0 ? number : 0;
  }

  void pixels(OmeImage& image) const {
    const std::string order = text("DimensionOrder");
    if (order.starts_with("XY")) image.order = order.substr(2);
    constexpr const char* kSizes[] = {"SizeC", "SizeZ", "SizeT"};
    for (std::size_t a = 0; a < 3; ++a) image.extent[a] = whole(kSizes[a]).value_or(1);
    for (std::size_t a = 0; a < 3; ++a) {
      const std::string name = std::string("PhysicalSize") + "XYZ"[a], unit = text(name + "Unit");
      image.size[a] = positive(name);
      image.unit[a] = unit.empty() ? "um" : unit;
    }
    image.frameSeconds = secondsOf(positive("TimeIncrement"), text("TimeIncrementUnit"));
  }

  [[nodiscard]] OmeTiffData block() const {
    OmeTiffData data{whole("IFD"), whole("PlaneCount"), {}, {}, {}};
    if (!data.count) data.count = whole("NumPlanes");
    constexpr const char* kFirst[] = {"FirstC", "FirstZ", "FirstT"};
    for (std::size_t a = 0; a < 3; ++a) data.first[a] = whole(kFirst[a]).value_or(0);
    return data;
  }

  const char** attributes_ = nullptr;
  std::string path_, text_, namespace_;  // the last of an annotation
};

}  // namespace

std::optional<Ome> parseOme(const std::string& text) {
  const std::size_t begin = text.find('<');
  if (begin == std::string::npos || text.find_first_not_of(" \t\r\n") != begin) return std::nullopt;
  // The text was converted already (see tiffText), whatever encoding it announces.
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate("UTF-8"), &XML_ParserFree);
  if (!parser) return std::nullopt;
  OmeReader reader;
  XML_SetUserData(parser.get(), &reader);
  XML_SetElementHandler(
      parser.get(),
      [](void* data, const char* name, const char** attributes) {
        static_cast<OmeReader*>(data)->start(name, attributes);
      },
      [](void* data, const char*) { static_cast<OmeReader*>(data)->end(); });
  XML_SetCharacterDataHandler(parser.get(), [](void* data, const char* characters, int count) {
    static_cast<OmeReader*>(data)->characters({characters, static_cast<std::size_t>(count)});
  });
  const std::string_view xml = std::string_view(text).substr(begin);
  const bool read = XML_Parse(parser.get(), xml.data(), static_cast<int>(xml.size()), 1) == XML_STATUS_OK;
  if (!reader.isOme) return std::nullopt;
  if (!read)
    reader.ome.error = "line " + std::to_string(XML_GetCurrentLineNumber(parser.get())) + ": " +
                       XML_ErrorString(XML_GetErrorCode(parser.get()));
  return std::move(reader.ome);
}

}  // namespace sscope::io
