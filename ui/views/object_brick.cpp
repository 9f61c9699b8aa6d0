#include "ui/views/object_brick.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sscope {

namespace {

constexpr std::uint8_t kOutside = 0, kInside = 255;

struct Blocks {
  std::array<std::int64_t, 3> size;
  [[nodiscard]] std::size_t at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return static_cast<std::size_t>((z * size[1] + y) * size[0] + x);
  }
  // Calls `visit` for each block that shares a face with this one.
  template <class Visit>
  void neighbors(std::size_t block, const Visit& visit) const {
    const auto index = static_cast<std::int64_t>(block);
    const std::array at{index % size[0], index / size[0] % size[1], index / (size[0] * size[1])};
    std::int64_t stride = 1;
    for (std::size_t a = 0; a < 3; ++a) {
      if (at[a] > 0) visit(static_cast<std::size_t>(index - stride));
      if (at[a] + 1 < size[a]) visit(static_cast<std::size_t>(index + stride));
      stride *= size[a];
    }
  }
  [[nodiscard]] bool atBorder(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const auto ends = [](std::int64_t i, std::int64_t n) { return n > 1 && (i == 0 || i == n - 1); };
    return ends(x, size[0]) || ends(y, size[1]) || ends(z, size[2]);
  }
};

}  // namespace

std::vector<std::uint8_t> objectMask(const VolumeBrick& brick, double level) {
  const Blocks blocks{brick.size};
  std::vector<std::uint8_t> mask(brick.values.size(), kInside);
  std::vector<std::size_t> front;
  const auto reach = [&](std::size_t block) {
    if (mask[block] == kOutside || static_cast<double>(brick.values[block]) > level) return;
    mask[block] = kOutside;
    front.push_back(block);
  };
  for (std::int64_t z = 0; z < brick.size[2]; ++z)
    for (std::int64_t y = 0; y < brick.size[1]; ++y)
      for (std::int64_t x = 0; x < brick.size[0]; ++x)
        if (blocks.atBorder(x, y, z)) reach(blocks.at(x, y, z));
  std::vector<std::size_t> outside;
  while (!front.empty()) {
    const std::size_t block = front.back();
    front.pop_back();
    outside.push_back(block);
    blocks.neighbors(block, reach);
  }
  for (const std::size_t block : outside) blocks.neighbors(block, [&](std::size_t beside) { mask[beside] = kOutside; });
  if (std::ranges::find(mask, kInside) == mask.end()) std::ranges::fill(mask, kInside);
  return mask;
}

std::vector<std::uint8_t> levelsInside(const VolumeBrick& brick, const std::vector<std::uint8_t>& mask,
                                       const BrickPart& part) {
  constexpr std::uint8_t kNothing = 255;
  const Blocks blocks{brick.size};
  std::vector<std::uint8_t> levels(brick.values.size(), kNothing);
  for (std::size_t block = 0; block < levels.size(); ++block) {
    if (mask[block] == kOutside) continue;
    levels[block] = std::min(brick.values[block], kMostInside);
  }
  for (std::size_t block = 0; block < levels.size(); ++block)
    if (mask[block] == kOutside)
      blocks.neighbors(block, [&](std::size_t beside) {
        if (mask[beside] == kOutside) return;
        const std::uint8_t level = std::min(brick.values[beside], kMostInside);
        levels[block] = levels[block] == kNothing ? level : std::max(levels[block], level);
      });
  // The ray caster takes the largest level in the part for that of a ray that meets nothing.
  std::size_t outside = levels.size();
  for (std::int64_t z = part.begin[2]; z < part.end[2]; ++z)
    for (std::int64_t y = part.begin[1]; y < part.end[1]; ++y)
      for (std::int64_t x = part.begin[0]; x < part.end[0]; ++x) {
        const std::size_t block = blocks.at(x, y, z);
        if (levels[block] == kNothing) return levels;
        if (mask[block] == kOutside) outside = block;
      }
  if (outside < levels.size()) levels[outside] = kNothing;
  return levels;
}

std::vector<std::uint8_t> levelsOverRange(const VolumeBrick& brick, const BrickPart& part) {
  const Blocks blocks{brick.size};
  std::vector<std::uint8_t> levels = brick.values;
  levels[blocks.at(part.begin[0], part.begin[1], part.begin[2])] = 0;
  levels[blocks.at(part.end[0] - 1, part.end[1] - 1, part.end[2] - 1)] = 255;
  return levels;
}

double longestBrightPath(const VolumeBrick& brick, const BrickPart& part, double level) {
  const Blocks blocks{brick.size};
  const double range = std::max(255 - level, 1.0);
  double longest = 0;
  for (std::size_t along = 0; along < 3; ++along) {
    const std::size_t u = (along + 1) % 3, v = (along + 2) % 3;
    std::vector<double> paths;
    std::array<std::int64_t, 3> at{};
    for (at[v] = part.begin[v]; at[v] < part.end[v]; ++at[v])
      for (at[u] = part.begin[u]; at[u] < part.end[u]; ++at[u]) {
        double sum = 0;
        for (at[along] = part.begin[along]; at[along] < part.end[along]; ++at[along])
          sum += std::max(0.0, static_cast<double>(brick.values[blocks.at(at[0], at[1], at[2])]) - level);
        paths.push_back(sum / range * brick.spacing[along]);
      }
    if (paths.empty()) continue;
    constexpr double kNearly = 0.995;
    const auto place = static_cast<std::ptrdiff_t>(kNearly * static_cast<double>(paths.size() - 1));
    std::ranges::nth_element(paths, paths.begin() + place);
    // Few paths meet a small object: the place would be beside it.
    const double most = *std::ranges::max_element(paths.begin() + place, paths.end());
    longest = std::max(longest, std::max(paths[static_cast<std::size_t>(place)], most / 2));
  }
  return longest;
}

}  // namespace sscope
