#pragma once
// What jobs that run slab by slab share.

#include <optional>
#include <string>
#include <vector>

#include "core/engine/run_report.h"
#include "core/measure/verify.h"
#include "core/volume/volume.h"

namespace sscope {

// Adds the run of one more part. `outputBytes`: those of the part; the input and the taps are counted once.
void addPart(RunReport& sum, const RunReport& part, double outputBytes);

// Adds what was found of one more part: the worst of both. A part in which rounding decides everything says nothing of
// the others.
void addPart(std::optional<Verification>& all, const Verification& one);

// What was compared, of a part that is called `part`: "part", or "part, CORNERS AND BLOCKS" where that was not all of
// it.
[[nodiscard]] std::string coverageOf(const std::string& part, const Verification& verification);

// Elements that are NaN or infinite.
[[nodiscard]] std::int64_t nonFiniteOf(const std::vector<Volume>& volumes, const Control& control);

}  // namespace sscope
