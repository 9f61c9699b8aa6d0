#pragma once
// A brick as its projections are made of it: without what surrounds the object, or over the whole range of levels.

#include <cstdint>
#include <vector>

#include "core/volume/volume_brick.h"
#include "ui/views/brick_image.h"

namespace sscope {

// 255 for each block of the brick that belongs to the object, 0 for the background around it: what is at most `level`
// and hangs together with the border of the brick by blocks of that kind, and the blocks next to that, which are partly
// background. Cavities belong to the object. All 255 where nothing surrounds it or no object would be left.
[[nodiscard]] std::vector<std::uint8_t> objectMask(const VolumeBrick& brick, double level);

// The brick's levels for the smallest one along rays through the masked blocks: at most kMostInside there, continued by
// a block beyond them, so that values between two blocks are the object's; 255 stands for a ray that meets none of
// them. Tables of the ray caster have few entries, which the two must not share.
inline constexpr std::uint8_t kMostInside = 247;
[[nodiscard]] std::vector<std::uint8_t> levelsInside(const VolumeBrick& brick, const std::vector<std::uint8_t>& mask,
                                                     const BrickPart& part);

// The brick's levels, of which two in corners of the part are 0 and 255: the ray caster takes the least and the largest
// level that it is given for 0 and 1.
[[nodiscard]] std::vector<std::uint8_t> levelsOverRange(const VolumeBrick& brick, const BrickPart& part);

// How far a ray goes through what is brighter than `level`, weighted by how much brighter, from 0 at `level` to 1 at
// 255: nearly the largest one of the rays along the axes, in the unit of the spacing.
[[nodiscard]] double longestBrightPath(const VolumeBrick& brick, const BrickPart& part, double level);

}  // namespace sscope
