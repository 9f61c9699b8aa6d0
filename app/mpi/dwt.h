#pragma once

#include "app/cli/program.h"

namespace sscope::mpi {

// `dwt` on ranks: each transforms its blocks of planes.
void addRankDwt(CLI::App& app, cli::Program& program);

}  // namespace sscope::mpi
