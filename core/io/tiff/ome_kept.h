#pragma once
// What OME-XML says beyond the pages, their extents and steps: instruments, people, descriptions, annotations. It is
// kept as the field "ome.xml" of Metadata, a document of one image without planes, and given back when OME-TIFF is
// written.

#include <cstddef>
#include <string>

namespace sscope::io {

inline constexpr const char* kOmeField = "ome.xml";

// The document with one of its images and nothing about planes or this file; empty where it is longer than a header
// should hold. `text` is well formed.
[[nodiscard]] std::string omeKept(const std::string& text, std::size_t image);

// What takes the place of that which belongs to pixels: attributes of Pixels but for its ID, and elements. All of it
// without a prefix; the document's own is put in front.
struct OmePixels {
  std::string attributes;  // " DimensionOrder=\"XYCZT\" ..."
  std::string channels;    // the elements, where those that are kept are as many as `channelCount` they stay
  std::size_t channelCount = 1;
  std::string planes;       // TiffData
  std::string annotations;  // elements of StructuredAnnotations
};
// Empty where the document that was kept is not one.
[[nodiscard]] std::string omeGivenBack(const std::string& kept, const OmePixels& pixels);

}  // namespace sscope::io
