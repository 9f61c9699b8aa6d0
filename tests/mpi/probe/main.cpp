// Started by mpirun from the tests: ranks that send messages and check what comes, or that fail in one way or another.
// usage: mpi_probe WHAT[,WHAT...] [RANK [FILE]]

#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include "app/cli/entry.h"
#include "app/mpi/run_ranks.h"
#include "tests/mpi/probe/probe.h"

namespace {

using namespace sscope;
using namespace sscope::test;

const std::map<std::string, void (*)(Probe&)> kTasks{{"messages", checkMessages},
                                                     {"collectives", checkCollectives},
                                                     {"agreement", checkAgreement},
                                                     {"canceling", checkCanceling},
                                                     {"given-up", checkGivenUp},
                                                     {"parts", checkParts},
                                                     {"fail", failAlone},
                                                     {"fail-all", failTogether},
                                                     {"die", die},
                                                     {"hang", hang},
                                                     {"leave", leave},
                                                     {"work", work}};

}  // namespace

int main(int argc, char** argv) {
  try {
    cli::Interrupt interrupt;
    return mpi::runRanks(argc, argv, interrupt, [&](mpi::World& world, cli::Program& program) {
      Probe probe{world, program, argc > 2 ? std::stoi(argv[2]) : 0, argc > 3 ? argv[3] : ""};
      std::istringstream words(argc > 1 ? argv[1] : "");
      for (std::string word; std::getline(words, word, ',');) kTasks.at(word)(probe);
      return 0;
    });
  } catch (const std::exception& error) {
    cli::tellError(error.what());
    return 1;
  }
}
