#pragma once
// The engine of each rank.

#include <string>

#include "core/engine/engine.h"
#include "core/reach/communicator.h"

namespace sscope::cli {

// `choice`: the id of an engine; a kind of devices (cuda, opencl), of which the ranks of a machine take turns; empty:
// the processor's widest vectors. Throws Error(Usage, NotFound) where it is not there, naming the rank's machine.
[[nodiscard]] Engine& rankEngine(const EngineSet& engines, const std::string& choice, const reach::Communicator& ranks);

}  // namespace sscope::cli
