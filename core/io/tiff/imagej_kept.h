#pragma once
// What ImageJ notes in a TIFF file that is only kept, as Metadata::fields, and given back when one is written: lines of
// its description ("imagej.NAME"), and in two tags of its own ("imagej.tag.TYPE", a JSON list) the text about an image,
// labels of its slices, properties, regions of interest, tables of colors. Ranges of display are not kept.
// https://imagej.net/ij/developer/source/ij/io/TiffEncoder.java.html

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/tiff/tiff_tags.h"
#include "core/volume/metadata.h"

namespace sscope::io {

// Text of 16-bit units and of UTF-8, one from the other. What is no text becomes U+FFFD. `bytes` are in the order that
// is said.
[[nodiscard]] std::string fromUtf16(std::string_view bytes, bool bigEndian);
// In this machine's order.
[[nodiscard]] std::vector<std::byte> toUtf16(std::string_view text);

inline constexpr std::uint16_t kImageJCounts = 50838, kImageJData = 50839;  // the tags

using KeptFields = std::vector<std::pair<std::string, std::string>>;

// Of the lines of a description those that say nothing of pages, steps and values.
void keepImageJLines(const std::map<std::string, std::string>& lines, KeptFields& kept);
[[nodiscard]] std::string imageJLines(const Metadata& metadata);

// Of the directory at this place. What is damaged, or larger than what a header holds, is left out; false says so.
[[nodiscard]] bool keepImageJTags(TiffTags& tags, std::uint64_t directory, KeptFields& kept);

// The values of both tags, in this machine's order; none where nothing is kept. Lists of one for each page or channel
// are left out where there are others now.
struct ImageJTags {
  std::vector<std::uint32_t> counts;
  std::vector<std::byte> data;
};
[[nodiscard]] ImageJTags imageJTags(const Metadata& metadata, std::int64_t pages, std::int64_t channels);

}  // namespace sscope::io
