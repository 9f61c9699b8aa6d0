#pragma once
// First derivatives of gaussians as nodes of families that are small programs.

#include <vector>

#include "core/filter/families/part_formula.h"

namespace sscope {

// Slopes per voxel of no more than this share of the voxel's value count as none where their direction or place is
// asked for: in single precision the taps of constant data leave about so much.
inline constexpr double kFlatShare = 1e-6;

// The derivatives of a node along all axes, by the options sigma and truncate.
std::vector<std::size_t> addGradient(ProgramPart& part, const OptionValues& values, const FilterGrid& grid,
                                     std::size_t input = ProgramPart::rowInput(0));

// Those nodes as gx, gy and gz.
[[nodiscard]] NamedNodes namedGradient(const std::vector<std::size_t>& nodes);

}  // namespace sscope
