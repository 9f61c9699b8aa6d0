// sscope-mpi: the command line for ranks that mpirun starts. main() only starts things and catches.

#include "app/cli/entry.h"
#include "app/mpi/commands.h"
#include "app/mpi/run_ranks.h"
#include "core/base/words.h"

int main(int argc, char** argv) {
  using namespace sscope;
  try {
    cli::Interrupt interrupt;  // before MPI starts threads
    return mpi::runRanks(argc, argv, interrupt, [&](mpi::World& world, cli::Program& program) {
      return runCommandLine(mpi::commands(world), argc, argv, program);
    });
  } catch (const std::exception& error) {
    cli::tellError(wordsOf(error));
    return cli::kFailed;
  }
}
