#pragma once
// What the workloads of the ladders declare and read alike.

#include <array>
#include <string>
#include <vector>

#include "core/boundary/boundary.h"
#include "core/filter/filter.h"
#include "core/options/option.h"

namespace sscope {

// boundary, constant, seed.
void addBoundaryOptions(std::vector<Option>& options);

// Any text, such as the name of a file; empty by default.
[[nodiscard]] Option textOption(std::string name, std::string label, std::string help);

// It must be there (completeOptions sees to it).
[[nodiscard]] Boundary boundaryOf(const OptionValues& values);

// Taps of this size, anchored at size / 2 on every axis, all zero.
[[nodiscard]] DenseTaps boxOfTaps(const std::array<std::int64_t, 3>& size);

}  // namespace sscope
