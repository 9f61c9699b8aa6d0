#pragma once
// Options that the ladders' workloads share.

#include <cstdint>
#include <vector>

#include "core/boundary/boundary.h"
#include "core/options/option.h"

namespace sscope {

// boundary, constant, seed.
void addBoundaryOptions(std::vector<Option>& options);

// The value must be present, as after completeOptions().
[[nodiscard]] Boundary boundaryOf(const OptionValues& values);

}  // namespace sscope
