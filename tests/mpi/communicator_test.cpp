#include "tests/mpi/launch.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

using namespace sscope::test;

TEST_CASE("ranks send, gather, broadcast, wait, give up, divide and agree") {
  SSCOPE_NEEDS_MPIRUN();
  // The tasks of the probe throw where something is not as it should be, and say what. One start for all of them:
  // messages of any length, in any order; gathering in the order of the ranks; a wait that is canceled and leaves
  // nothing behind; a message that is given up while it is sent; a communicator of the first ranks; and, where there
  // are two, an error that all of them have then.
  for (const int ranks : {1, 2, 3, 4, 7}) {
    const std::string tasks = "messages,collectives,canceling,given-up,parts";
    const Outcome outcome =
        launch(ranks, builtProgram("mpi_probe"), {ranks > 1 ? tasks + ",agreement,messages" : tasks});
    INFO(ranks << " ranks: " << outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
  }
}

TEST_CASE("the probe notices what is not so") {
  SSCOPE_NEEDS_MPIRUN();
  // One rank has no other to agree with: the error that it waits for does not come.
  CHECK(launch(1, builtProgram("mpi_probe"), {"agreement"}).status == 1);
}
