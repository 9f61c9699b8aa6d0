#pragma once
// What a run finds out about the files that it makes.

#include <optional>
#include <string>

#include "core/engine/run_report.h"
#include "core/measure/verify.h"
#include "core/volume/provenance.h"

namespace sscope {

// Enters the variant that ran, how the results were verified, and the fingerprint of the input, if there is one.
void learnRun(GrowingProvenance& made, const RunReport& report, const std::optional<Verification>& verification,
              const std::string& fingerprint);

}  // namespace sscope
