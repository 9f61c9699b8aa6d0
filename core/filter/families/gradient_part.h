#pragma once
// First derivatives of gaussians as nodes of families that are small programs.

#include <vector>

#include "core/filter/families/part_formula.h"

namespace sscope {

// Slopes per voxel of no more than this share of the voxel's value count as none where their direction or place is
// asked for: in single precision the taps of constant data leave about so much.
inline constexpr double kFlatShare = 1e-6;
// The same of slopes per step.
[[nodiscard]] double flatShare(const std::array<double, 3>& steps, const FilterGrid& grid);

// Over which length slopes count: what sigma is given in, voxels or millimeters.
[[nodiscard]] Option perOption();
// The edges of a voxel in that length: derivatives are divided by them. Of voxels 1. Throws Error(Usage) for
// millimeters where the data do not say how long a voxel is.
[[nodiscard]] std::array<double, 3> stepsOf(const OptionValues& values, const FilterGrid& grid);

// The derivatives of a node along all axes, by the options sigma and truncate, divided by the steps.
std::vector<std::size_t> addGradient(ProgramPart& part, const OptionValues& values, const FilterGrid& grid,
                                     const std::array<double, 3>& steps, std::size_t input = ProgramPart::rowInput(0));

// Those nodes as gx, gy and gz.
[[nodiscard]] NamedNodes namedGradient(const std::vector<std::size_t>& nodes);

}  // namespace sscope
