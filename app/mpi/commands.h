#pragma once
// The commands of sscope-mpi: those of sscope that ranks can share, and one about the ranks themselves.

#include "app/cli/entry.h"
#include "app/cli/program.h"
#include "app/mpi/world.h"

namespace sscope::mpi {

// `world` outlives the program that they are added to.
[[nodiscard]] cli::CommandSet commands(World& world);

// `world` outlives the program.
void addScalingBench(World& world, CLI::App& app, cli::Program& program);

// `dwt` on ranks: each transforms its blocks of planes.
void addRankDwt(CLI::App& app, cli::Program& program);

// sscope-mpi filter: a bank of filters on a file, by all ranks together.
void addRankFilter(CLI::App& app, cli::Program& program);

// sscope-mpi magic: the magic filter of a file, by all ranks together.
void addRankMagic(CLI::App& app, cli::Program& program);

}  // namespace sscope::mpi
