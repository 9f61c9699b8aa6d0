// The lattice on several engines at once, on the command line.
#include <nlohmann/json.hpp>

#include "core/base/paths.h"
#include "tests/cli/known_ceilings.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

TEST_CASE("bench times the lattice on several engines") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const std::string file = folder / "b.json";
  for (const char* workload : {"dirac", "cr"}) {
    const Outcome outcome = run({"bench", workload, "--engine", "cpu:scalar+cpu:sse4", "--shape", "4,4,4", "--param",
                                 "time=4", "--json", file});
    INFO(outcome.err << outcome.out);
    REQUIRE(outcome.status == 0);
    const json row = json::parse(readTextFile(file)).at("results").at(0);
    CHECK(row.at("engine") == "cpu:scalar+cpu:sse4");
    CHECK(row.at("verified") == true);
    const json& launch = row.at("launch");
    CHECK(launch.at("cpu:scalar share").get<double>() + launch.at("cpu:sse4 share").get<double>() == Approx(1));
  }
}

TEST_CASE("lattice solve runs on several engines, and refuses more than there are planes") {
  const TemporaryFolder folder;
  const std::string file = folder / "a.nersc";
  REQUIRE(run({"lattice", "generate", "--dims", "4,4,4,4", "--sweeps", "2", "-o", file}).status == 0);
  const json report = reportOf({"lattice", "solve", file, "--kappa", "0.11", "--engine", "cpu:scalar+cpu:sse4"});
  CHECK(report.at("converged") == true);
  CHECK(contains(report.dump(), "cpu:scalar+cpu:sse4"));
  std::string many = "cpu:scalar";
  for (int i = 0; i < 16; ++i) many += "+cpu:scalar";
  expectRefusal({"lattice", "solve", file, "--kappa", "0.11", "--engine", many}, 2, "");
}
