#pragma once
// Outputs cut into parts: for devices that share a job, for ranks, and for volumes larger than memory. What a part
// reads of the input follows from Workload::reach, and what computes it from Workload::restrictedTo.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/boundary/boundary.h"
#include "core/volume/array_view.h"

namespace sscope::reach {

// `parts` ranges that follow each other, equal but for one plane, longer ones first. With more parts than planes the
// last ones are empty. parts >= 1.
[[nodiscard]] std::vector<Range> evenly(std::int64_t planes, std::int64_t parts);

// Ranges proportional to `weights` (>= 0, not all 0), rounded so that they follow each other and cover all planes. A
// weight above 0 gets at least one plane as long as there are enough.
[[nodiscard]] std::vector<Range> weighted(std::int64_t planes, std::span<const double> weights);

using sscope::slowestAxis;

// The whole of an array, but for `planes` along `axis`.
[[nodiscard]] Box slab(const std::array<std::int64_t, 4>& extent, std::size_t axis, const Range& planes);

}  // namespace sscope::reach
