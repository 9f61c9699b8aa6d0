#include <nlohmann/json.hpp>

#include "core/base/paths.h"
#include "tests/cli/program.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

TEST_CASE("bench --tune searches, says what it found, and later runs take it") {
  const TemporaryFolder folder;
  const std::string file = folder / "b.json";
  for (const std::string workload : {"soup", "conv2d", "bank"}) {
    INFO(workload);
    Arguments arguments{"bench", workload, "--engine", "cpu:scalar,opencl:0", "--shape", "48,36", "--json", file};
    if (workload == "bank") arguments.insert(arguments.end(), {"--param", "filters=3", "--param", "size=3"});
    const Outcome plain = run(arguments);
    INFO(plain.err);
    REQUIRE(plain.status == 0);
    const json before = json::parse(readTextFile(file)).at("results").at(1);
    if (before.contains("skipped")) SSCOPE_SKIP("no OpenCL device: " + before.at("skipped").get<std::string>());
    Arguments tuning = arguments;
    tuning.emplace_back("--tune");
    const Outcome tuned = run(tuning);
    INFO(tuned.out + tuned.err);
    REQUIRE(tuned.status == 0);
    CHECK(contains(tuned.out, "\ntuned " + workload + " tuned on opencl:0: "));
    CHECK(contains(tuned.out, "; remembered\n"));
    CHECK(!contains(tuned.out, "on cpu:scalar"));
    const json found = json::parse(readTextFile(file)).at("results").at(1);
    CHECK(found.at("verified") == true);
    const Outcome again = run(arguments);
    REQUIRE(again.status == 0);
    CHECK(json::parse(readTextFile(file)).at("results").at(1).at("params") == found.at("params"));
    CHECK(contains(again.out, ", as tuned on 20") == !contains(tuned.out, "none of"));
  }
}

TEST_CASE("bench --tune has nothing to do for given values and for rows without tiles") {
  const Outcome none = run({"bench", "soup", "--engine", "cpu:scalar", "--shape", "16,12", "--tune"});
  INFO(none.err);
  CHECK(none.status == 0);
  CHECK(contains(none.out, "nothing to tune"));
  CHECK(run({"bench", "soup", "--tune", "--sweep"}).status == 2);
}
