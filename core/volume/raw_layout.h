#pragma once
// The layout of voxels in a file without a header, as the user describes it: "512x512x300:u16:le:offset=1024".

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/volume/element_type.h"

namespace sscope {

struct RawLayout {
  std::array<std::int64_t, 3> extent{1, 1, 1};
  int components = 1;  // of each voxel, interleaved
  ElementType type = ElementType::u8;
  bool bigEndian = false;
  std::int64_t offset = 0;  // bytes before the first voxel

  [[nodiscard]] double bytes() const;
  // Parsing it gives the same.
  [[nodiscard]] std::string text() const;
  bool operator==(const RawLayout&) const = default;
};

// Parts are separated by ":" or ","; extents and type are required. Throws Error(Usage) with the accepted form.
[[nodiscard]] RawLayout parseRawLayout(const std::string& text);

// Throws Error(BadData) if a file with this number of bytes is too short for the layout.
void requireBytes(const RawLayout& layout, const std::string& path, std::int64_t bytes);

// Possible layouts of a file with this number of bytes, the likeliest first: cubes, then squares and pictures with
// common edges in at least 2 slices, then single slices.
[[nodiscard]] std::vector<RawLayout> likelyLayouts(std::int64_t bytes);

}  // namespace sscope
