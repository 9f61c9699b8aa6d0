#pragma once
// Checks that a command's outputs replace neither its inputs nor each other.

#include <string>
#include <vector>

#include "core/job/input_files.h"

namespace sscope::cli {

struct Targets {
  std::vector<std::string> reports;  // single files; "-" is the standard output, "" is none
  std::vector<std::string> volumes;  // together with the separate data files of their formats; "" is none
};

// Throws what checkTarget() throws for a target that cannot be written, before any work is done. Throws Error(Usage) if
// a target is one of `inputs` (files, folders and patterns; "" is none) or belongs to one, if two targets are the same,
// or if the data file of a new header exists already.
void requireSafeTargets(const Targets& targets, const std::vector<std::string>& inputs = {});

}  // namespace sscope::cli
