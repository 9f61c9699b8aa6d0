#pragma once
// sscope-mpi filter: a bank of filters on a file, by all ranks together.

#include "app/cli/program.h"

namespace sscope::mpi {

void addRankFilter(CLI::App& app, cli::Program& program);

}  // namespace sscope::mpi
