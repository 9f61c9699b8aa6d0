#pragma once
// What a command writes must not replace what it reads, nor one output another.

#include <string>
#include <vector>

#include "core/job/input_files.h"

namespace sscope::cli {

struct Targets {
  std::vector<std::string> reports;  // single files; "-" is the standard output, "" is none
  std::vector<std::string> volumes;  // with the data files that their formats put beside them; "" is none
};

// Throws as checkTarget() for what cannot be written: before the work, not after. Throws Error(Usage) when a target is
// one of `inputs` (files, folders and patterns; "" is none) or belongs to it, when two targets are the same, or when
// the data file of a header that is not there yet is there already.
void requireSafeTargets(const Targets& targets, const std::vector<std::string>& inputs = {});

}  // namespace sscope::cli
