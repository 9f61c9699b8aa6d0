#include "app/mpi/run_ranks.h"

#include <array>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "app/cli/entry.h"
#include "core/base/encoding.h"
#include "core/base/error.h"

namespace sscope::mpi {

namespace {

// Ranks that were asked for different things would make a file of both.
void requireOneCommandLine(int argc, char** argv, reach::Communicator& ranks, const Control& control) {
  std::string words;
  for (int i = 1; i < argc; ++i) words.append(argv[i]).push_back('\0');
  const std::uint64_t hash = hashOf(words);
  const std::array<double, 2> mine{static_cast<double>(hash >> 32), static_cast<double>(hash & 0xffffffffU)};
  const std::vector<double> all = ranks.gather(mine, control);
  for (std::size_t i = 2; i < all.size(); ++i)
    if (all[i] != all[i % 2])
      throw Error(ErrorKind::Usage,
                  "rank " + std::to_string(i / 2) + " was started with another command line than rank 0",
                  "start all ranks with the same one");
}

}  // namespace

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
    requireOneCommandLine(argc, argv, world.ranks(), program.control());
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
