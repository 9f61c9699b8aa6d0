#pragma once
// sscope-mpi magic: the magic filter of a file, by all ranks together.

#include "app/cli/program.h"

namespace sscope::mpi {

void addRankMagic(CLI::App& app, cli::Program& program);

}  // namespace sscope::mpi
