#pragma once
// What the workloads of the ladders declare and read alike.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/boundary/boundary.h"
#include "core/options/option.h"

namespace sscope {

// boundary, constant, seed.
void addBoundaryOptions(std::vector<Option>& options);

// Any text, such as the name of a file; empty by default.
[[nodiscard]] Option textOption(std::string name, std::string label, std::string help);

// It must be there (completeOptions sees to it).
[[nodiscard]] Boundary boundaryOf(const OptionValues& values);

}  // namespace sscope
