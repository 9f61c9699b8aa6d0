#pragma once
// Verification of a part of a result, where the whole is nowhere.

#include "core/filter/job/filter_job.h"

namespace sscope {

// As verifyFilter, of the result of a job with a region. Of the input only what that part reads has to be there.
[[nodiscard]] Verification verifyPart(const FilterJob& job, const Volume& input, const FilterResult& result,
                                      const VerifyOptions& options, const Control& control);

}  // namespace sscope
