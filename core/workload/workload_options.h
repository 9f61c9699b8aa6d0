#pragma once
// What the workloads of the ladders declare and read alike.

#include <cstdint>
#include <vector>

#include "core/boundary/boundary.h"
#include "core/options/option.h"

namespace sscope {

// boundary, constant, seed.
void addBoundaryOptions(std::vector<Option>& options);

// It must be there (completeOptions sees to it).
[[nodiscard]] Boundary boundaryOf(const OptionValues& values);

}  // namespace sscope
