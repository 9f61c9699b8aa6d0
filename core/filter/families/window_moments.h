#pragma once
// Means and covariances of a box around each voxel, as nodes of a part.

#include <array>
#include <cstdint>

#include "core/filter/families/family.h"

namespace sscope {

// How far a box reaches from its center along each axis, in voxels.
using HalfWidths = std::array<std::int64_t, 3>;

// The whole voxels within a length option along each axis of the grid; 0 along others. Throws Error(Usage) where the
// box is one voxel, or reaches farther than `most`.
[[nodiscard]] HalfWidths halfWidthsOf(const OptionValues& values, const std::string& name, const FilterGrid& grid,
                                      std::int64_t most);

// Adds the mean of the box.
std::size_t addWindowMean(ProgramPart& part, std::size_t input, const HalfWidths& half);

struct WindowMoments {
  std::size_t firstMean = 0, secondMean = 0, covariance = 0;
};

// Adds the means of two inputs and their covariance, divided by the number of voxels; the variance if both are the
// same. half: at most kFarthestNeighbor, one of them above 0.
// Line by line, by the law of total covariance: the covariance within a box is the mean of those within its lines plus
// that of the lines' means. Only deviations from means are multiplied, so that nothing cancels where the data lie far
// from zero: the rounding of a mean is multiplied with deviations. The difference of moments, E[ab] - E[a] E[b],
// multiplies it with the mean and loses all digits there. Where the boundary rule is a constant other than 0, the
// variance of lines outside is that constant as well, as is any row of a bank there.
WindowMoments addCovariance(ProgramPart& part, std::size_t first, std::size_t second, const HalfWidths& half,
                            double unit);

}  // namespace sscope
