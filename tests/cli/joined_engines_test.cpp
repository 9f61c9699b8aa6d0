// Several engines at once on the command line.
#include <nlohmann/json.hpp>

#include "core/base/paths.h"
#include "tests/cli/known_ceilings.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

const char* const kTwoLevels = "cpu:scalar+cpu:sse4";

}  // namespace

TEST_CASE("filter runs on several engines and reports the share of each") {
  const TemporaryFolder folder;
  const std::string input = folder / "in.nrrd";
  writeNrrd(input, randomVolume({24, 23, 22, 1}, ElementType::f32, 1));
  const json report = reportOf({"filter", input, "--filter", "gaussian:sigma=1", "--filter", "median", "--engine",
                                kTwoLevels, "--verify", "-o", folder / "out-{}.nrrd"});
  INFO(report.dump(1));
  CHECK(report.at("engine") == kTwoLevels);
  CHECK(report.at("verification").at("verified") == true);
  CHECK(contains(report.at("why").get<std::string>(), "planes along z: cpu:scalar: "));
}

TEST_CASE("bench has a row of several engines, with their shares") {
  useKnownCeilings();
  const TemporaryFolder folder;
  for (const char* workload : {"filter", "bank"}) {
    const Outcome outcome = run({"bench", workload, "--engine", kTwoLevels, "--shape", "20,18,10", "--json",
                                 folder / "b.json", "--csv", folder / "b.csv", "--report", folder / "b.html"});
    INFO(outcome.err << outcome.out);
    REQUIRE(outcome.status == 0);
    CHECK(contains(outcome.out, "cpu:scalar+cpu:sse4 ("));
    const json document = json::parse(readTextFile(folder / "b.json"));
    REQUIRE(document.at("results").size() == 1);
    const json& row = document.at("results")[0];
    INFO(row.dump(1));
    CHECK(row.at("engine") == kTwoLevels);
    CHECK(row.at("verified") == true);
    const json& launch = row.at("launch");
    CHECK(launch.at("cpu:scalar share").get<double>() + launch.at("cpu:sse4 share").get<double>() == Approx(1));
  }
}

TEST_CASE("bench of a slider runs on several engines") {
  const TemporaryFolder folder;
  const std::string file = folder / "job.json";
  const Outcome outcome = run({"bench", "job", "--engine", kTwoLevels, "--shape", "24,20,16", "--param",
                               "filter=gaussian:sigma=1", "--reps", "3", "--json", file});
  INFO(outcome.out + outcome.err);
  REQUIRE(outcome.status == 0);
  const json document = json::parse(readTextFile(file));
  REQUIRE(document.at("results").size() == 4);
  for (const json& row : document.at("results")) {
    CHECK(row.at("engine") == kTwoLevels);
    CHECK(row.at("verified") == true);
  }
}

TEST_CASE("names of several engines that are wrong are refused in one sentence") {
  const TemporaryFolder folder;
  const std::string input = folder / "in.nrrd";
  writeNrrd(input, randomVolume({8, 8, 8, 1}, ElementType::f32, 1));
  const auto refused = [&](const std::string& engine, int status, const std::string& part) {
    INFO(engine);
    expectRefusal({"filter", input, "--filter", "box", "-o", folder / "out.nrrd", "--engine", engine}, status, part);
    expectRefusal({"bench", "filter", "--shape", "8,8", "--engine", engine}, status, part);
  };
  refused("cpu:scalar+nobody", 1, "there is no engine nobody");
  refused("cpu:scalar+", 2, "an engine is missing next to a +");
  refused("cpu:all", 2, "names the same processor");
  refused("nobody:all", 1, "there are no engines nobody:all");
}
