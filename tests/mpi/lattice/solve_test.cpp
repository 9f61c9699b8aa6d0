// sscope-mpi lattice solve: what sscope gives, to the last bit.

#include <signal.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/mpi/launch.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"
#include "tests/support/sampling.h"

using namespace sscope::test;

namespace {

// Random links of this lattice.
std::string configurationOf(const TemporaryFolder& folder, const std::string& name, const std::string& dims) {
  const std::string file = folder / name;
  const Outcome made = runOther(builtProgram("sscope"),
                                {"lattice", "generate", "--dims", dims, "--beta", "6", "--sweeps", "2", "-o", file});
  INFO(made.err);
  REQUIRE(made.status == 0);
  return file;
}

Arguments solve(const std::string& file, const Arguments& more) {
  return joined({"lattice", "solve", file, "--kappa", "0.11"}, more);
}

nlohmann::json jsonOf(const Outcome& outcome) {
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out);
}

}  // namespace

TEST_CASE("ranks solve with the bits of one process") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  // Odd extents: four ranks are cut along t, seven along z and t.
  const std::string file = configurationOf(folder, "odd.nersc", "3,2,7,5");
  std::size_t n = 0;
  for (const Arguments& how :
       {Arguments{"--source", "hash", "--seed", "3"}, Arguments{"--at", "1,0,2,4", "--twist", "0.2"}}) {
    const std::string one = folder / "one.nrrd", many = folder / "many.nrrd";
    const nlohmann::json alone = jsonOf(
        runOther(builtProgram("sscope"), solve(file, joined(how, {"--solver", "cr", "-o", one, "--json", "-"}))));
    CHECK(alone.at("converged") == true);
    for (const int ranks : countsOfRun(n++)) {
      INFO(ranks);
      const nlohmann::json together = jsonOf(launch(
          ranks, builtProgram("sscope-mpi"), solve(file, joined(how, {"--solver", "cr", "-o", many, "--json", "-"}))));
      CHECK(together.at("ranks") == ranks);
      CHECK(together.at("residuals") == alone.at("residuals"));
      CHECK(together.at("true_residual") == alone.at("true_residual"));
      CHECK(together.at("solver") == "cr");
      CHECK(contentOf(many) == contentOf(one));
    }
  }
}

TEST_CASE("every solver on ranks has the bits of one process, with even and odd sites apart") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  // Parts of the first begin at even and odd times; the other one has an odd extent.
  const std::string even = configurationOf(folder, "even.nersc", "2,2,4,8");
  const std::string odd = configurationOf(folder, "odd.nersc", "2,3,2,7");
  const std::string one = folder / "one.nrrd", many = folder / "many.nrrd";
  INFO(Sampling::howToRepeat());
  std::size_t n = 0, lattice = 0;
  for (const std::string& file : {even, odd}) {
    ++n;  // so that a solver has other counts on the other lattice
    std::size_t number = 0;
    for (const char* solver : {"auto", "bicgstab", "gcr", "cgnr"}) {
      if (!takes(lattice, 2, number++)) continue;
      const Arguments how{"--solver", solver, "--source", "hash", "--seed", "3", "--json", "-", "-o"};
      const nlohmann::json alone = jsonOf(runOther(builtProgram("sscope"), solve(file, joined(how, {one}))));
      CHECK(alone.at("converged") == true);
      CHECK(alone.at("preconditioner") == (file == even ? "even-odd" : "none"));
      for (const int ranks : countsOfRun(n++)) {
        if (ranks > 3 && std::string(solver) != "bicgstab") continue;
        INFO(file << " " << solver << " on " << ranks);
        const nlohmann::json together =
            jsonOf(launch(ranks, builtProgram("sscope-mpi"), solve(file, joined(how, {many}))));
        for (const char* what : {"residuals", "true_residual", "solver", "preconditioner", "iterations"})
          CHECK(together.at(what) == alone.at(what));
        CHECK(together.value("preconditioner_note", "") == alone.value("preconditioner_note", ""));
        CHECK(together.at("ranks") == ranks);
        CHECK(contentOf(many) == contentOf(one));
      }
    }
    ++lattice;
  }
}

TEST_CASE("ranks on devices solve with the same bits, however many they are") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string file = configurationOf(folder, "a.nersc", "2,3,2,6");
  const Arguments how{"--source", "hash", "--engine", "opencl", "--json", "-"};
  for (const char* solver : {"cr", "bicgstab"}) {
    const Arguments all = solve(file, joined(how, {"--solver", solver}));
    const Outcome first = launch(2, builtProgram("sscope-mpi"), all);
    if (first.status != 0 && contains(first.err, "opencl")) SSCOPE_SKIP("no OpenCL device: " + first.err);
    const nlohmann::json two = jsonOf(first), three = jsonOf(launch(3, builtProgram("sscope-mpi"), all));
    const nlohmann::json alone =
        jsonOf(runOther(builtProgram("sscope"),
                        solve(file, {"--source", "hash", "--engine", "opencl:0", "--solver", solver, "--json", "-"})));
    CHECK(contains(two.at("engine"), "opencl:"));
    CHECK(two.at("converged") == true);
    CHECK(three.at("residuals") == two.at("residuals"));
    CHECK(three.at("true_residual") == two.at("true_residual"));
    // One device keeps cr to itself, and adds in another order.
    CHECK(std::abs(alone.at("iterations").get<int>() - two.at("iterations").get<int>()) <= 1);
    if (std::string(solver) != "cr") CHECK(alone.at("residuals") == two.at("residuals"));
  }
}

TEST_CASE("a rank that is killed while ranks solve, or Ctrl-C, ends all of them, and leaves nothing") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string file = configurationOf(folder, "a.nersc", "16,16,16,12"), out = folder / "x.nrrd";
  for (const bool killed : {true, false}) {
    // Twelve systems of some seventy iterations each.
    Running running(ranksOf(3, builtProgram("sscope-mpi"),
                            {"lattice", "solve", file, "--kappa", "0.14", "--solver", "bicgstab", "--tolerance",
                             "1e-12", "--propagator", "-o", out}));
    const std::vector<pid_t> ranks = busyRanks(3, out);
    REQUIRE(ranks.size() == 3);
    if (killed) {
      ::kill(ranks[1], SIGKILL);
    } else {
      running.signal(SIGINT);
    }
    const Outcome outcome = running.finish();
    INFO(outcome.err);
    CHECK(outcome.status != 0);
    // Open MPI itself may tell of messages that were on their way from a rank that is gone.
    const auto first = outcome.err.find("error:");
    CHECK((first == std::string::npos || outcome.err.find("error:", first + 1) == std::string::npos));
    CHECK(ranksEnd(out));
    CHECK(!std::filesystem::exists(out));
  }
}

TEST_CASE("ranks flow with the bits of one process") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string file = configurationOf(folder, "odd.nersc", "3,2,3,7");
  const Arguments flow{"lattice", "flow", file, "--to", "0.05", "--csv"};
  const Outcome alone = runOther(builtProgram("sscope"), joined(flow, {folder / "one.csv"}));
  INFO(alone.err);
  REQUIRE(alone.status == 0);
  for (const int ranks : countsOfRun(0)) {
    const Outcome together = launch(ranks, builtProgram("sscope-mpi"), joined(flow, {folder / "many.csv"}));
    INFO(ranks << together.err);
    REQUIRE(together.status == 0);
    CHECK(together.out == alone.out);
    CHECK(contentOf(folder / "many.csv") == contentOf(folder / "one.csv"));
  }
  const Outcome refused = launch(8, builtProgram("sscope-mpi"), joined(flow, {folder / "none.csv"}));
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "too few time slices to flow on 8 ranks"));
}

TEST_CASE("ranks write the observables of one process") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string file = configurationOf(folder, "odd.nersc", "3,2,3,5");
  const std::string one = folder / "one.nrrd", many = folder / "many.nrrd";
  INFO(Sampling::howToRepeat());
  std::size_t turn = firstTurn();
  for (const Arguments& how :
       {Arguments{"--observable", "charge", "--flow", "0.03"}, Arguments{"--observable", "polyakov", "--flow", "0.01"},
        Arguments{"--observable", "plaquette", "--time-slice", "3"}}) {
    INFO(how[1]);
    const Arguments field = joined({"lattice", "field", file}, how);
    const Outcome alone = runOther(builtProgram("sscope"), joined(field, {"-o", one}));
    INFO(alone.err);
    REQUIRE(alone.status == 0);
    for (const int ranks : sampled(std::array{2, 5}, turn++)) {
      const Outcome together = launch(ranks, builtProgram("sscope-mpi"), joined(field, {"-o", many}));
      INFO(ranks << together.err);
      REQUIRE(together.status == 0);
      CHECK(contentOf(many) == contentOf(one));
      std::filesystem::remove(many);
    }
  }
  const auto refused = [&](int ranks, const Arguments& more, int status, const char* words) {
    const Outcome outcome = launch(ranks, builtProgram("sscope-mpi"), joined({"lattice", "field", file}, more));
    INFO(outcome.err);
    CHECK(outcome.status == status);
    CHECK(contains(outcome.err, words));
    CHECK_FALSE(std::filesystem::exists(many));
  };
  refused(6, {"-o", many}, 2, "too few time slices to flow on 6 ranks");
  refused(2, {"-o", many, "--time-slice", "5"}, 2, "time slice");
  refused(2, {"-o", file}, 2, "odd.nersc");
}

TEST_CASE("ranks find the propagator of one process") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string file = configurationOf(folder, "a.nersc", "2,2,3,4");
  const Arguments more{"--propagator", "--at", "1,1,2,3", "--json", "-"};
  const nlohmann::json alone = jsonOf(runOther(builtProgram("sscope"), solve(file, joined(more, {"--solver", "cr"}))));
  const nlohmann::json together =
      jsonOf(launch(3, builtProgram("sscope-mpi"), solve(file, joined(more, {"--solver", "cr"}))));
  CHECK(together.at("pion_correlator") == alone.at("pion_correlator"));
  CHECK(together.at("systems") == 12);
}

TEST_CASE("what ranks cannot solve is said in one sentence, and leaves no file") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string file = configurationOf(folder, "a.nersc", "2,2,1,2");
  const std::string target = folder / "x.nrrd";
  const auto refused = [&](int ranks, const Arguments& arguments, int status, const std::string& words) {
    const Outcome outcome = launch(ranks, builtProgram("sscope-mpi"), joined(arguments, {"-o", target}));
    INFO(outcome.err);
    CHECK(outcome.status == status);
    CHECK(lineCount(outcome.err) == 1);
    CHECK(contains(outcome.err, words));
    CHECK(!std::filesystem::exists(target));
  };
  refused(3, solve(file, {}), 2, "too few planes along z and t for 3 ranks; take 2");
  refused(2, solve(file, {"--solver", "cr", "--preconditioner", "even-odd"}), 2, "has no even-odd preconditioning");
  refused(2, solve(file, {"--solver", "bicgstab", "--twist", "0.1"}), 2, "--twist applies only to the solver cr");
  refused(2, solve(file, {"--solver", "steepest"}), 2, "steepest");
  refused(2, solve(folder / "none", {}), 1, "none");
  refused(2, solve(file, {"--max-iterations", "1"}), 1, "it did not converge in 1 iterations");
  refused(2, solve(file, {"--at", "5,0,0,0"}), 2, "not on the lattice");
}
