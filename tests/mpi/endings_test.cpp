#include <signal.h>

#include "tests/mpi/launch.h"
#include "tests/support/catch.h"
#include "tests/support/environment.h"
#include "tests/support/processes.h"
#include "tests/support/programs.h"

using namespace sscope::test;

TEST_CASE("a rank that fails ends the job on all ranks with one sentence") {
  SSCOPE_NEEDS_MPIRUN();
  for (const char* chosen : {"0", "2"}) {
    const Outcome outcome = launch(3, builtProgram("mpi_probe"), {"fail", chosen});
    INFO(outcome.err);
    CHECK(outcome.status == 1);
    CHECK(lineCount(outcome.err) == 1);
    CHECK(outcome.err.starts_with("error: the chosen rank fails; choose none (rank " + std::string(chosen) +
                                  " of 3, on "));
  }
}

TEST_CASE("an error that all ranks have is told once, without a rank") {
  SSCOPE_NEEDS_MPIRUN();
  const Outcome outcome = launch(4, builtProgram("mpi_probe"), {"fail-all"});
  CHECK(outcome.status == 2);
  CHECK(outcome.err == "error: all ranks fail; choose another\n");
}

TEST_CASE("a rank that is killed, or leaves, ends the job, and the others clean up") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  for (const char* task : {"die", "leave"})
    for (const char* chosen : {"0", "1"}) {
      const Outcome outcome = launch(3, builtProgram("mpi_probe"), {task, chosen, folder / "half"});
      INFO(task << " " << chosen << ": " << outcome.err);
      CHECK(outcome.status != 0);
      CHECK(lineCount(outcome.err) <= 1);
      CHECK(eventually([&] { return filesIn(folder.path()).empty(); }));
    }
}

TEST_CASE("a rank that stands still is noticed, and the others clean up") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  // Open MPI kills ranks a second after it asked them to end, which on a busy machine is too soon for some.
  const Variable mercy("OMPI_MCA_odls_base_sigkill_timeout", "4");
  for (const char* chosen : {"0", "2"}) {
    const std::string beginning = "error: rank " + std::string(chosen) + " of 3 on ";
    Outcome outcome;
    std::string seconds;
    // A busy machine may keep another rank from answering for a second, but not for so long.
    for (const char* each : {"1", "15"}) {
      const Variable patience("SSCOPE_MPI_PATIENCE", each);
      seconds = each;
      outcome = launch(3, builtProgram("mpi_probe"), {"hang", chosen, folder / "half"});
      if (outcome.err.starts_with(beginning)) break;
    }
    INFO(outcome.err);
    CHECK(outcome.status == 1);
    CHECK(lineCount(outcome.err) == 1);
    CHECK(outcome.err.starts_with(beginning));
    CHECK(contains(outcome.err, "has not answered for " + seconds + " s"));
    CHECK(eventually([&] { return filesIn(folder.path()).empty(); }));
  }
}

TEST_CASE("Ctrl-C on mpirun cancels all ranks, and they clean up") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  for (const int number : {SIGINT, SIGTERM}) {
    Running running(ranksOf(3, builtProgram("mpi_probe"), {"work", "0", folder / "half"}));
    running.waitUntilThere(folder / "half");
    running.signal(number);
    const Outcome outcome = running.finish();
    INFO(outcome.err);
    CHECK(outcome.status != 0);
    // mpirun ends at once then, sometimes before it has passed on what was said.
    CHECK((outcome.err == "error: canceled\n" || outcome.err.empty()));
    CHECK(eventually([&] { return filesIn(folder.path()).empty(); }));
  }
}

TEST_CASE("the command line of sscope-mpi is sscope's, told by one rank") {
  SSCOPE_NEEDS_MPIRUN();
  const Outcome help = launch(3, builtProgram("sscope-mpi"), {"--version"});
  CHECK(help.status == 0);
  CHECK(lineCount(help.out) == 1);
  const Outcome other = launch(3, builtProgram("sscope-mpi"), {"info", "x"});
  CHECK(other.status == 2);
  CHECK(other.err == "error: sscope-mpi has no command info; use sscope info\n");
  const Outcome unknown = launch(3, builtProgram("sscope-mpi"), {"ranks", "--no-such-option"});
  CHECK(unknown.status == 2);
  CHECK(lineCount(unknown.err) == 1);
  const Outcome list = launch(3, builtProgram("sscope-mpi"), {"ranks", "--json", "-"});
  INFO(list.err);
  REQUIRE(list.status == 0);
  const nlohmann::json ranks = nlohmann::json::parse(list.out).at("ranks");
  REQUIRE(ranks.size() == 3);
  CHECK(ranks[2].at("local_rank") == 2);
  CHECK(ranks[2].at("cores") >= 1);
}
