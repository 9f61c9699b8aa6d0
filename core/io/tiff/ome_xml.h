#pragma once
// OME's XML in the description of a TIFF file, read by expat.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace sscope::io
