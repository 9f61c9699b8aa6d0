#pragma once
// A program on ranks from its start to its exit status.

#include <functional>

#include "app/cli/program.h"
#include "app/mpi/world.h"

namespace sscope::mpi {

// Starts MPI, runs `work` on every rank, and ends: 0 is returned; otherwise the process has ended with the status that
// all ranks have, after one of them said why. Throws Error where MPI does not start.
int runRanks(int argc, char** argv, cli::Interrupt& interrupt,
             const std::function<int(World& world, cli::Program& program)>& work);

}  // namespace sscope::mpi
