#include "core/volume/raw_layout.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>

#include "core/base/error.h"

namespace sscope {

namespace {

std::optional<std::int64_t> numberIn(std::string_view text, std::int64_t least, std::int64_t most) {
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool good = code == std::errc() && end == text.data() + text.size() && number >= least && number <= most;
  return good ? std::optional(number) : std::nullopt;
}

constexpr std::int64_t kMostOffset = std::int64_t{1} << 60, kLongest = std::int64_t{1} << 40, kMostComponents = 1 << 24;

// "512x512" or "512x512x300".
bool takeExtent(std::string_view text, RawLayout& layout) {
  std::size_t axis = 0;
  for (std::size_t begin = 0; begin <= text.size(); ++axis) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const auto extent = numberIn(text.substr(begin, end - begin), 1, kLongest);
    if (!extent || axis > 2) return false;
    layout.extent[axis] = *extent;
    begin = end + 1;
  }
  return axis > 1;
}

bool takePart(std::string_view part, RawLayout& layout, bool& typed) {
  const auto numbered = [&](std::string_view key, std::int64_t least, std::int64_t most, auto& value) {
    if (!part.starts_with(key)) return false;
    const auto number = numberIn(part.substr(key.size()), least, most);
    if (number) value = static_cast<std::remove_reference_t<decltype(value)>>(*number);
    return number.has_value();
  };
  if (part == "le" || part == "be") {
    layout.bigEndian = part == "be";
    return true;
  }
  if (const auto type = parseElementType(part)) {
    layout.type = *type;
    return typed = true;
  }
  return numbered("offset=", 0, kMostOffset, layout.offset) ||
         numbered("components=", 1, kMostComponents, layout.components);
}

}  // namespace

double RawLayout::bytes() const {
  return static_cast<double>(extent[0]) * static_cast<double>(extent[1]) * static_cast<double>(extent[2]) * components *
         static_cast<double>(bytesOf(type));
}

void requireBytes(const RawLayout& layout, const std::string& path, std::int64_t bytes) {
  const double wanted = static_cast<double>(layout.offset) + layout.bytes();
  if (static_cast<double>(bytes) >= wanted) return;
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.0f", wanted);
  throw Error(ErrorKind::BadData,
              "cannot read " + path + ": it holds " + std::to_string(bytes) + " bytes, and " + layout.text() +
                  " takes " + digits,
              "describe another layout, as 512x512x300,u16");
}

std::string RawLayout::text() const {
  std::string all = std::to_string(extent[0]) + "x" + std::to_string(extent[1]) + "x" + std::to_string(extent[2]) +
                    ":" + std::string(toString(type)) + (bigEndian ? ":be" : "");
  if (components > 1) all += ":components=" + std::to_string(components);
  if (offset > 0) all += ":offset=" + std::to_string(offset);
  return all;
}

RawLayout parseRawLayout(const std::string& text) {
  RawLayout layout;
  bool good = true, extents = false, typed = false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(":,", begin), text.size());
    const std::string_view part = std::string_view(text).substr(begin, end - begin);
    if (!extents) {
      good = good && (extents = takeExtent(part, layout));
      if (!good) break;
    } else {
      good = good && takePart(part, layout, typed);
    }
    begin = end + 1;
  }
  if (!good || !typed || !(layout.bytes() < 0x1p60))
    throw Error(ErrorKind::Usage, "cannot understand the layout of raw voxels " + text,
                "write extents, a type and further properties, as 512x512x300,u16,be,components=3,offset=1024");
  return layout;
}

std::vector<RawLayout> likelyLayouts(std::int64_t bytes) {
  constexpr std::size_t kMost = 12;
  constexpr std::array<std::array<std::int64_t, 2>, 18> kEdges = {{{512, 512},
                                                                   {256, 256},
                                                                   {1024, 1024},
                                                                   {2048, 2048},
                                                                   {128, 128},
                                                                   {640, 640},
                                                                   {768, 768},
                                                                   {4096, 4096},
                                                                   {64, 64},
                                                                   {640, 480},
                                                                   {1024, 768},
                                                                   {1280, 1024},
                                                                   {1920, 1080},
                                                                   {320, 240},
                                                                   {384, 384},
                                                                   {192, 192},
                                                                   {400, 400},
                                                                   {1000, 1000}}};
  std::vector<RawLayout> all;
  const auto add = [&](std::int64_t x, std::int64_t y, std::int64_t z, ElementType type) {
    const RawLayout layout{.extent = {x, y, z}, .type = type};
    if (std::ranges::find(all, layout) == all.end() && all.size() < kMost) all.push_back(layout);
  };
  for (const ElementType type : {ElementType::u8, ElementType::u16, ElementType::f32, ElementType::f64}) {
    const double voxels = static_cast<double>(bytes) / static_cast<double>(bytesOf(type));
    const auto edge = static_cast<std::int64_t>(std::llround(std::cbrt(voxels)));
    if (edge > 1 && edge * edge * edge * static_cast<std::int64_t>(bytesOf(type)) == bytes) add(edge, edge, edge, type);
  }
  // Volumes have more than a few slices, and not many more slices than columns.
  for (const bool usual : {true, false})
    for (const auto& [x, y] : kEdges)
      for (const ElementType type : {ElementType::u16, ElementType::u8, ElementType::f32}) {
        const std::int64_t plane = x * y * static_cast<std::int64_t>(bytesOf(type)), slices = bytes / plane;
        if (bytes % plane == 0 && slices >= 1 && usual == (slices >= 8 && slices <= 8 * x)) add(x, y, slices, type);
      }
  return all;
}

}  // namespace sscope
