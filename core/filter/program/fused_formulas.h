#pragma once
// What engines compute of a program: formulas that only one other formula reads, voxel by voxel, become a part of it.

#include "core/filter/families/program.h"

namespace sscope {

// The same nodes at the same places; those that have become a part of another are read by nobody. Results are the same
// up to rounding, of which there is less.
[[nodiscard]] FilterProgram withFusedFormulas(const FilterProgram& program);

}  // namespace sscope
