#pragma once
// sscope-mpi bench: a workload on more and more ranks.

#include "app/cli/program.h"
#include "app/mpi/world.h"

namespace sscope::mpi {

// `world` outlives the program.
void addScalingBench(World& world, CLI::App& app, cli::Program& program);

}  // namespace sscope::mpi
