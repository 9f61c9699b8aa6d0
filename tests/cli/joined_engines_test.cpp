// Several engines at once on the command line.

#include "tests/cli/known_ceilings.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

TEST_CASE("several engines share a filter and a benchmark, and the report has their shares") {
  useKnownCeilings();
  const std::string two = "cpu:scalar+cpu:sse4", engine = " --engine " + two;
  const Scene scene(randomVolume({24, 23, 22, 1}, ElementType::f32, 1));
  const json report =
      scene.report("filter in.nrrd --filter gaussian:sigma=1 --filter median --verify -o out-{}.nrrd" + engine);
  CHECK(report.at("engine") == two);
  CHECK(report.at("verification").at("verified") == true);
  CHECK(contains(report.at("why").get<std::string>(), "planes along z: cpu:scalar: "));
  for (const std::string workload : {"filter", "bank"}) {
    const Outcome outcome = scene.ok("bench " + workload + " --shape 20,18,10 --json b.json --report b.html" + engine);
    CHECK(contains(outcome.out, two + " ("));
    const json rows = scene.document("b.json").at("results");
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].at("engine") == two);
    CHECK(rows[0].at("verified") == true);
    const json& launch = rows[0].at("launch");
    CHECK(launch.at("cpu:scalar share").get<double>() + launch.at("cpu:sse4 share").get<double>() == Approx(1));
  }
}

TEST_CASE("names of several engines that are wrong are refused in one sentence") {
  const Scene scene;
  const struct {
    const char* engine;
    int status;
    const char* part;
  } rows[] = {{"cpu:scalar+nobody", 1, "there is no engine nobody"},
              {"cpu:scalar+", 2, "an engine is missing next to a +"},
              {"cpu:all", 2, "names the same processor"},
              {"nobody:all", 1, "there are no engines nobody:all"}};
  for (const auto& row : rows)
    for (const std::string command : {"filter in.nrrd --filter box -o out.nrrd", "bench filter --shape 8,8"})
      scene.refuse(command + " --engine " + row.engine, row.status, row.part);
}
