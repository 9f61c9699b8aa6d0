#include "app/mpi/run_ranks.h"

#include <exception>
#include <iostream>

#include "app/cli/entry.h"

namespace sscope::mpi {

int runRanks(int argc, char** argv, cli::Interrupt& interrupt, const std::function<int(World&, cli::Program&)>& work) {
  interrupt.speak(false);  // until it is known which rank this is
  World world(argc, argv);
  const bool first = world.ranks().rank() == 0;
  interrupt.speak(first);
  cli::ProgressLine progress(first);
  world.listen([&interrupt](const Failure& failure) {
    if (failure.kind != ErrorKind::Canceled) interrupt.speak(false);  // there is another sentence to tell
    interrupt.cancel();
  });
  cli::Program program{interrupt, progress, world.ranks(), world.ranks().size() > 1 ? world.cores() : 0};
  std::exception_ptr error;
  int status = 0;
  try {
    status = work(world, program);
    std::cout.flush();
  } catch (...) {
    error = std::current_exception();
  }
  progress.clear();
  const bool signaled = error && cli::Interrupt::received() != 0;
  const Ending ending = world.conclude(error, status, signaled);
  if (!ending.sentence.empty()) cli::tellError(ending.sentence);
  if (signaled) cli::Interrupt::endBySignal();
  if (ending.status != 0) {
    if (!ending.alone) world.awaitTold();
    World::end(ending);
  }
  interrupt.done(0);
  world.finish();
  return 0;
}

}  // namespace sscope::mpi
