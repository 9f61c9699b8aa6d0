#pragma once
// Smoothed products of first derivatives as nodes of families that are small programs.

#include "core/filter/families/part_formula.h"

namespace sscope {

// The structure tensor of a node (J. Bigun and G. Granlund, 1987; W. Forstner, 1987) by the options sigma, rho and
// truncate, of slopes per `steps` voxels: its elements by the names of kSecondDerivatives.
NamedNodes addStructureTensor(ProgramPart& part, const OptionValues& values, const FilterGrid& grid,
                              const std::array<double, 3>& steps, std::size_t input);

}  // namespace sscope
