#pragma once
// What jobs that run slab by slab share.

#include <vector>

#include "core/engine/run_report.h"
#include "core/volume/volume.h"

namespace sscope {

// Adds the run of one more part. `outputBytes`: those of the part; the input and the taps are counted once.
void addPart(RunReport& sum, const RunReport& part, double outputBytes);

// Elements that are NaN or infinite.
[[nodiscard]] std::int64_t nonFiniteOf(const std::vector<Volume>& volumes, const Control& control);

}  // namespace sscope
