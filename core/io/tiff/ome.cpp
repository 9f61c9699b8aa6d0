#include "core/io/tiff/ome.h"

#include <expat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/encoding.h"
#include "core/base/words.h"
#include "core/io/base/file_error.h"
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

namespace {

// Programs that write one file name it; people rename it.
std::string ownFile(const Ome& ome, const OmeImage& image, const std::string& name) {
  std::set<std::string> all;
  bool unnamed = false;  // planes that are this file's by definition, so that those with a name are another's
  for (const OmeTiffData& data : image.data) {
    if (data.uuid.empty()) {
      unnamed = true;
      continue;
    }
    if (data.uuid == ome.uuid || (ome.uuid.empty() && data.file == name)) return data.uuid;
    all.insert(data.uuid);
  }
  return ome.uuid.empty() && all.size() == 1 && !unnamed ? *all.begin() : ome.uuid;
}

// Of an image in several files: its part in this one, where that is a block of planes.
void keepThisFile(OmePlanes& planes) {
  constexpr std::string_view kAxes = "CZT";
  std::array<std::set<std::int64_t>, 3> places;
  for (const auto& [index, place] : planes.pages)
    for (std::size_t a = 0; a < 3; ++a) places[a].insert(planes.order.place(index, kAxes[a]));
  if (planes.pages.empty() || places[0].size() * places[1].size() * places[2].size() != planes.pages.size()) return;
  OmePlanes part;
  for (const auto& [letter, extent] : planes.order.axes)
    part.order.axes.emplace_back(letter, static_cast<std::int64_t>(places[kAxes.find(letter)].size()));
  for (const auto& [index, page] : planes.pages) {
    std::array<std::int64_t, 3> at{};
    for (std::size_t a = 0; a < 3; ++a)
      at[a] = std::distance(places[a].begin(), places[a].find(planes.order.place(index, kAxes[a])));
    part.pages.emplace(part.order.page(kAxes, at), page);
  }
  part.elsewhere = std::move(planes.elsewhere);
  planes = std::move(part);
}

}  // namespace

OmePlanes omePlanes(const Ome& ome, const OmeImage& image, const std::string& file, std::span<const TiffPage> pages,
                    std::int64_t next) {
  OmePlanes result;
  std::array<std::int64_t, 3> extent = image.extent;
  const std::int64_t first = image.data.empty() ? next : image.data.front().page.value_or(0);
  // Samples of one pixel are channels of OME.
  const std::int64_t samples = pages[std::min(static_cast<std::size_t>(first), pages.size() - 1)].samples;
  if (samples > 1 && extent[0] % samples == 0) extent[0] /= samples;
  const auto order = tiffOrder(image.order, extent);
  if (!order || std::any_of(extent.begin(), extent.end(), [](std::int64_t n) { return n < 1; })) return result;
  result.order = *order;
  const std::string own = ownFile(ome, image, file);
  std::vector<OmeTiffData> data = image.data;
  if (data.empty()) data.push_back({next, result.order.pages(), {}, {}, {}});
  const TiffPage* kind = nullptr;
  for (const OmeTiffData& block : data) {
    if (!block.uuid.empty() && block.uuid != own) {
      result.elsewhere.insert(block.file.empty() ? block.uuid : block.file);
      continue;
    }
    bool inside = true;
    for (std::size_t a = 0; a < 3; ++a) inside = inside && block.first[a] < extent[a];
    if (!inside) continue;
    const std::int64_t start = result.order.page("CZT", block.first), page = block.page.value_or(0);
    const std::int64_t there = std::max<std::int64_t>(0, static_cast<std::int64_t>(pages.size()) - page);
    const std::int64_t count = std::min(block.count.value_or(block.page ? 1 : there), result.order.pages() - start);
    for (std::int64_t k = 0; k < std::min(count, there); ++k) {
      const TiffPage& each = pages[static_cast<std::size_t>(page + k)];
      if (kind == nullptr) kind = &each;
      if (each.sameKind(*kind)) result.pages.emplace(start + k, page + k);
    }
  }
  if (!result.elsewhere.empty()) keepThisFile(result);
  return result;
}

void noteElsewhere(const std::set<std::string>& files, std::vector<std::string>& notices) {
  if (files.empty()) return;
  notices.push_back(
      "only the planes in this file were read; others of this image are in " + printable(*files.begin()) +
      (files.size() > 1 ? " and " + counted(static_cast<std::int64_t>(files.size()) - 1, "other file") : ""));
}

void noteMissing(const TiffOrder& order, const std::map<std::int64_t, std::int64_t>& pages,
                 std::vector<std::string>& notices) {
  const std::int64_t all = order.pages(), lacking = all - static_cast<std::int64_t>(pages.size());
  if (lacking == 0) return;
  std::string list;
  int named = 0;
  for (std::int64_t index = 0; index < all && named < 4; ++index) {
    if (pages.contains(index)) continue;
    list += (named++ == 0 ? "" : "; ") + std::string("z ") + std::to_string(order.place(index, 'Z')) + " of channel " +
            std::to_string(order.place(index, 'C')) + " at time " + std::to_string(order.place(index, 'T'));
  }
  notices.push_back(counted(lacking, "plane") + (lacking == 1 ? " is" : " are") + " missing and read as 0: " + list +
                    (lacking > named ? "; ..." : ""));
}

namespace {

using XmlAttributes = std::vector<std::pair<std::string, std::string>>;

std::string attributeOf(const XmlAttributes& attributes, std::string_view name) {
  for (const auto& [key, value] : attributes)
    if (withoutPrefix(key) == name) return value;
  return {};
}

// Copies a document but for elements that are left out, with others added.
class Copy {
 public:
  std::function<bool(const std::string& path, XmlAttributes&)> keep;  // may change the attributes
  std::function<std::string(const std::string& path)> inFront;        // of the end of an element
  std::function<std::string(const std::string& path)> behind;         // it
  std::string out = R"(<?xml version="1.0" encoding="UTF-8"?>)";

  // Whether the document is well formed.
  bool run(const std::string& text) {
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate("UTF-8"),
                                                                              &XML_ParserFree);
    if (!parser) return false;
    XML_SetUserData(parser.get(), this);
    XML_SetElementHandler(
        parser.get(),
        [](void* data, const char* name, const char** attributes) {
          static_cast<Copy*>(data)->start(name, attributes);
        },
        [](void* data, const char* name) { static_cast<Copy*>(data)->end(name); });
    XML_SetCharacterDataHandler(parser.get(), [](void* data, const char* characters, int count) {
      auto& copy = *static_cast<Copy*>(data);
      if (copy.left_ == 0) copy.pending_.append(characters, static_cast<std::size_t>(count));
    });
    return XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), 1) == XML_STATUS_OK;
  }

 private:
  void start(const char* name, const char** attributes) {
    flush(false);
    path_ += '/';
    path_ += withoutPrefix(name);
    XmlAttributes list;
    for (const char** each = attributes; each[0] != nullptr; each += 2) list.emplace_back(each[0], each[1]);
    if (left_ > 0 || (keep && !keep(path_, list))) {
      ++left_;
      return;
    }
    out += "<" + std::string(name);
    for (const auto& [key, value] : list) out += " " + key + "=\"" + escaped(value) + "\"";
    out += ">";
    leaf_ = true;
  }

  void end(const char* name) {
    if (left_ > 0) {
      --left_;
    } else {
      flush(leaf_);
      if (inFront) out += inFront(path_);
      out += "</" + std::string(name) + ">";
      leaf_ = false;
      if (behind) out += behind(path_);
    }
    path_.resize(path_.rfind('/'));
  }

  // Blanks between elements are not kept.
  void flush(bool text) {
    if (text || pending_.find_first_not_of(" \t\r\n") != std::string::npos) out += escaped(pending_);
    pending_.clear();
    leaf_ = false;
  }

  std::string path_, pending_;
  int left_ = 0;       // elements that are open and left out
  bool leaf_ = false;  // no element was inside the one that is open
};

constexpr std::string_view kOmePixels = "/OME/Image/Pixels", kOmeAnnotations = "/OME/StructuredAnnotations";
// Older ones have no units of steps.
constexpr const char* kOmeSchemas[] = {"OME/2016-06", "OME/2015-01"};

}  // namespace

std::string omeKept(const std::string& text, std::size_t image) {
  constexpr std::size_t kLongest = std::size_t{1} << 16;
  Copy copy;
  std::size_t next = 0;
  copy.keep = [&](const std::string& path, XmlAttributes& attributes) {
    if (path == "/OME") std::erase_if(attributes, [](const auto& a) { return withoutPrefix(a.first) == "UUID"; });
    if (path == "/OME/Image") return next++ == image;
    if (path == "/OME/StructuredAnnotations/CommentAnnotation") {
      const std::string space = attributeOf(attributes, "Namespace");
      return space != kOurTiffKey && space != kProvenanceKey;
    }
    for (const char* each : {"/TiffData", "/BinData", "/Plane", "/MetadataOnly"})
      if (path == std::string(kOmePixels) + each) return false;
    return path != "/OME/BinaryOnly";
  };
  const std::size_t begin = text.find('<');
  if (begin == std::string::npos || !copy.run(text.substr(begin))) return {};
  return copy.out.size() <= kLongest ? copy.out : std::string();
}

std::string omeGivenBack(const std::string& kept, const OmePixels& pixels) {
  const auto ome = parseOme(kept);
  if (!ome || !ome->error.empty() || ome->images.size() != 1) return {};
  const std::string_view root = std::string_view(kept).substr(0, kept.find("Image"));
  if (std::none_of(std::begin(kOmeSchemas), std::end(kOmeSchemas),
                   [&](const char* each) { return root.find(each) != std::string_view::npos; }))
    return {};
  const bool channels = ome->images.front().channels.size() == pixels.channelCount;
  Copy copy;
  bool annotated = false, described = false;
  std::string prefix;
  const auto prefixed = [&](std::string elements) {
    if (prefix.empty()) return elements;
    std::string result;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      result += elements[i];
      const bool opens = elements[i] == '<' && i + 1 < elements.size();
      if (opens && elements[i + 1] == '/') result += elements[++i];
      if (opens) result += prefix;
    }
    return result;
  };
  // The root's name has the prefix of all.
  const std::size_t name = kept.find('<', kept.find("?>")) + 1;
  const std::string rootName = kept.substr(name, kept.find_first_of(" >", name) - name);
  prefix = rootName.substr(0, rootName.find(':') + 1);
  copy.keep = [&](const std::string& path, XmlAttributes& attributes) {
    if (path == kOmePixels) {
      described = true;
      std::erase_if(attributes, [](const auto& a) { return withoutPrefix(a.first) != "ID"; });
      if (attributes.empty()) attributes.emplace_back("ID", "Pixels:0");
    }
    return channels || path != std::string(kOmePixels) + "/Channel";
  };
  const std::string wanted = prefixed(pixels.planes), names = prefixed(pixels.channels);
  copy.inFront = [&](const std::string& path) -> std::string {
    if (path == kOmePixels) return (channels ? "" : names) + wanted;
    return path == kOmeAnnotations && !std::exchange(annotated, true) ? prefixed(pixels.annotations) : std::string();
  };
  // Their place is behind the image.
  if (kept.find("StructuredAnnotations") == std::string::npos)
    copy.behind = [&](const std::string& path) {
      const bool here = path == "/OME/Image" && !std::exchange(annotated, true);
      return here ? prefixed("<StructuredAnnotations>" + pixels.annotations + "</StructuredAnnotations>")
                  : std::string();
    };
  if (!copy.run(kept) || !described || !annotated) return {};
  const std::string open = "<" + prefix + "Pixels";
  const std::size_t at = copy.out.find('>', copy.out.find(open));
  copy.out.insert(at, pixels.attributes);
  return copy.out;
}

}  // namespace sscope::io
