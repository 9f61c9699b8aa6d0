#include "tests/mpi/launch.h"
#include "tests/support/catch.h"

using namespace sscope::test;

namespace {

// Every task of the probe that throws where something is not as it should be.
void expectAllWell(const std::string& task) {
  for (const int ranks : {1, 2, 3, 4, 7}) {
    const Outcome outcome = launch(ranks, SSCOPE_PROBE, {task});
    INFO(ranks << " ranks: " << outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
  }
}

}  // namespace

TEST_CASE("ranks send each other messages of any length, in any order") {
  SSCOPE_NEEDS_MPIRUN();
  expectAllWell("messages");
}

TEST_CASE("ranks gather in their order, broadcast, and wait for each other") {
  SSCOPE_NEEDS_MPIRUN();
  expectAllWell("collectives");
}

TEST_CASE("a wait that is canceled leaves nothing behind") {
  SSCOPE_NEEDS_MPIRUN();
  expectAllWell("canceling");
}

TEST_CASE("the first ranks make a communicator of their own") {
  SSCOPE_NEEDS_MPIRUN();
  expectAllWell("parts");
}

TEST_CASE("ranks agree on the first one's error and go on") {
  SSCOPE_NEEDS_MPIRUN();
  for (const int ranks : {2, 3, 4, 7}) {
    const Outcome outcome = launch(ranks, SSCOPE_PROBE, {"agreement"});
    INFO(ranks << " ranks: " << outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
  }
}

TEST_CASE("the probe notices what is not so") {
  SSCOPE_NEEDS_MPIRUN();
  // One rank has no other to agree with: the error that it waits for does not come.
  CHECK(launch(1, SSCOPE_PROBE, {"agreement"}).status == 1);
}
