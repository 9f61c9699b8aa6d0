#pragma once
// Derivatives of gaussians as nodes of families that are small programs, and the families of the second derivatives.

#include <array>
#include <string>
#include <vector>

#include "core/filter/families/family.h"
#include "core/filter/families/part_formula.h"

namespace sscope {

// Slopes per voxel up to this share of the voxel's value count as zero in directions and edges: rounding in single
// precision leaves about this slope for constant data.
inline constexpr double kFlatShare = 1e-6;
// The same of slopes per step.
[[nodiscard]] double flatShare(const std::array<double, 3>& steps, const FilterGrid& grid);

// The length over which slopes count: that of sigma, voxels or millimeters.
[[nodiscard]] Option perOption();
// The edges of a voxel in that length: derivatives are divided by them. 1 for voxels. Throws Error(Usage) for
// millimeters if the data do not give the length of a voxel.
[[nodiscard]] std::array<double, 3> stepsOf(const OptionValues& values, const FilterGrid& grid);

// The derivatives of a node along all axes, by the options sigma and truncate, divided by the steps.
std::vector<std::size_t> addGradient(ProgramPart& part, const OptionValues& values, const FilterGrid& grid,
                                     const std::array<double, 3>& steps, std::size_t input = ProgramPart::rowInput(0));

// Those nodes as gx, gy and gz.
[[nodiscard]] NamedNodes namedGradient(const std::vector<std::size_t>& nodes);

// The entries of a symmetric matrix of derivatives, as eigenvalueText() names them.
struct SecondDerivative {
  const char* name;
  std::size_t first, second;  // axes
};
inline constexpr std::array<SecondDerivative, 6> kSecondDerivatives{
    {{"xx", 0, 0}, {"yy", 1, 1}, {"zz", 2, 2}, {"xy", 0, 1}, {"xz", 0, 2}, {"yz", 1, 2}}};

// A formula for the eigenvalue number 1 (the smallest) to `dimensions` of the matrix xx, yy, zz, xy, xz, yz. Throws
// Error(Usage) for the third of an image. `absolute`: ordered by magnitude.
[[nodiscard]] std::string eigenvalueText(int number, int dimensions, bool absolute = false);

[[nodiscard]] std::vector<FilterFamily> hessianFamilies();

// The structure tensor of a node (J. Bigun and G. Granlund, 1987; W. Forstner, 1987) by the options sigma, rho and
// truncate, of slopes per `steps` voxels: its elements by the names of kSecondDerivatives.
NamedNodes addStructureTensor(ProgramPart& part, const OptionValues& values, const FilterGrid& grid,
                              const std::array<double, 3>& steps, std::size_t input);

}  // namespace sscope
