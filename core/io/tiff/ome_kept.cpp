#include "core/io/tiff/ome_kept.h"

#include <expat.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/encoding.h"
#include "core/io/tiff/ome_xml.h"
#include "core/io/tiff/tiff_calibration.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

using Attributes = std::vector<std::pair<std::string, std::string>>;

std::string attributeOf(const Attributes& attributes, std::string_view name) {
  for (const auto& [key, value] : attributes)
    if (withoutPrefix(key) == name) return value;
  return {};
}

// Copies a document but for elements that are left out, with others added.
class Copy {
 public:
  std::function<bool(const std::string& path, Attributes&)> keep;  // may change the attributes
  std::function<std::string(const std::string& path)> inFront;     // of the end of an element
  std::function<std::string(const std::string& path)> behind;      // it
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
    Attributes list;
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
  copy.keep = [&](const std::string& path, Attributes& attributes) {
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
  copy.keep = [&](const std::string& path, Attributes& attributes) {
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
