#pragma once
// The engine of each rank.

#include <string>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/parts/communicator.h"

namespace sscope::cli {

// `choice`: the id of an engine; a kind of devices (cuda, opencl), of which the ranks of a machine take turns; empty:
// the processor's widest vectors. Throws Error(Usage, NotFound) where it is not there, naming the rank's machine.
[[nodiscard]] Engine& rankEngine(const EngineSet& engines, const std::string& choice, const reach::Communicator& ranks);

// Every rank: how many devices the ranks use together, when each has the engine that rankEngine() gives; 0: processors.
[[nodiscard]] int devicesOfRanks(const EngineSet& engines, const std::string& choice, reach::Communicator& ranks,
                                 const Control& control);

}  // namespace sscope::cli
