#pragma once
// OME's XML in the description of a TIFF file: read by expat; which page of a file is which plane of an image; and what
// it says beyond the pages, their extents and steps: instruments, people, descriptions, annotations. That is kept as
// the field "ome.xml" of Metadata, a document of one image without planes, and given back when OME-TIFF is written.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/tiff/tiff_calibration.h"
#include "core/io/tiff/tiff_page.h"

namespace sscope::io {

// Pages of a file, and where they belong.
struct OmeTiffData {
  std::optional<std::int64_t> page;     // the first one
  std::optional<std::int64_t> count;    // of pages
  std::array<std::int64_t, 3> first{};  // channel, slice and time of the first one
  std::string uuid, file;               // of the file that holds them; empty: this one
};

// A name without "OME:" in front of it, or what else a document calls that.
[[nodiscard]] inline std::string_view withoutPrefix(std::string_view name) { return name.substr(name.find(':') + 1); }

struct OmeImage {
  std::string name;
  std::string order;                            // the axes of the planes, fastest first: "ZCT"
  std::array<std::int64_t, 3> extent{1, 1, 1};  // channels, slices, times
  std::array<double, 3> size{};                 // of a voxel along x, y, z; 0: not given
  std::array<std::string, 3> unit;
  double frameSeconds = 0;
  std::vector<std::string> channels;  // their names
  std::vector<OmeTiffData> data;
};

struct Ome {
  std::string uuid;  // of this file
  std::vector<OmeImage> images;
  std::string ourGeometry, provenance;  // JSON of ours, in annotations
  std::string error;                    // why it is no well-formed XML; empty: it is
};

// Empty where the text is no XML whose root is OME, under whatever prefix.
[[nodiscard]] std::optional<Ome> parseOme(const std::string& text);

struct OmePlanes {
  TiffOrder order;
  std::map<std::int64_t, std::int64_t> pages;  // of planes, by their place in the order; missing ones are not there
  std::set<std::string> elsewhere;             // files that hold other planes of the image
};

// `file`: the name of this one. `next`: the page at which an image begins that says nothing of its pages. Where planes
// are in other files and those in this one are a block, the order is that of the block.
[[nodiscard]] OmePlanes omePlanes(const Ome& ome, const OmeImage& image, const std::string& file,
                                  std::span<const TiffPage> pages, std::int64_t next);

// Tells which planes are missing, and where others are.
void noteMissing(const TiffOrder& order, const std::map<std::int64_t, std::int64_t>& pages,
                 std::vector<std::string>& notices);
void noteElsewhere(const std::set<std::string>& files, std::vector<std::string>& notices);

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
