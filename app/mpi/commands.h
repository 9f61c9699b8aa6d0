#pragma once
// The commands of sscope-mpi: those of sscope that ranks can share, and one about the ranks themselves.

#include "app/cli/entry.h"
#include "app/mpi/world.h"

namespace sscope::mpi {

// `world` outlives the program that they are added to.
[[nodiscard]] cli::CommandSet commands(World& world);

}  // namespace sscope::mpi
