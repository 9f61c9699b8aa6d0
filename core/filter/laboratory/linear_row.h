#pragma once
// A row of a bank as one linear filter, if it is one: by itself, or from the data through the rows that it reads.

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/control.h"
#include "core/filter/families/program.h"
#include "core/filter/stencil.h"

namespace sscope {

// The filter equal to `second` applied after `first`: their taps convolved. Sums of separable terms remain such sums.
// The lost tail mass is unknown. Throws Error(Usage) if that takes more than 4e9 products, and Canceled.
[[nodiscard]] Stencil inSeries(const Stencil& first, const Stencil& second, const Control& control);

struct LinearRow {
  std::optional<Stencil> taps;
  std::string reason;  // without taps: why, as half a sentence, "its weights depend on the data"
};

// The filter from the data to a node of a program. Filters in series are linear; nodes with several inputs are not
// analyzed.
[[nodiscard]] LinearRow linearRow(const FilterProgram& program, std::size_t node, const Control& control);

// A recipe's part as a program of its own, in which every input of the row is the data.
[[nodiscard]] FilterProgram asProgram(const ProgramPart& part);

}  // namespace sscope
