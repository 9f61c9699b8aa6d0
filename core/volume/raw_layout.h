#pragma once
// How voxels lie in a file without a header, as a person says it: "512x512x300:u16:le:offset=1024".

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/volume/element_type.h"

namespace sscope {

struct RawLayout {
  std::array<std::int64_t, 3> extent{1, 1, 1};
  int components = 1;  // of each voxel, beside each other
  ElementType type = ElementType::u8;
  bool bigEndian = false;
  std::int64_t offset = 0;  // bytes before the first voxel

  [[nodiscard]] double bytes() const;
  // Parsing it gives the same.
  [[nodiscard]] std::string text() const;
  bool operator==(const RawLayout&) const = default;
};

// Parts are separated by ":" or ",", the extents and the type are wanted. Throws Error(Usage) with the form.
[[nodiscard]] RawLayout parseRawLayout(const std::string& text);

// Throws Error(BadData) where a file of this many bytes has too few for the layout.
void requireBytes(const RawLayout& layout, const std::string& path, std::int64_t bytes);

// What a file of this many bytes may hold, the likeliest first: cubes, then squares and pictures of edges that are
// common, in slices that are no fewer than 2; then single ones.
[[nodiscard]] std::vector<RawLayout> likelyLayouts(std::int64_t bytes);

}  // namespace sscope
