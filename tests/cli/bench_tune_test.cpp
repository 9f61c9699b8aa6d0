#include <nlohmann/json.hpp>

#include "core/base/paths.h"
#include "tests/cli/known_ceilings.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/environment.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

// Compilers that may end the program (gpu/opencl/opencl_properties.h).
constexpr const char* kNoSearch = "can end the program on kernels that a search tries";

// So narrow and low that few candidates fit, each of which is a kernel to be compiled.
constexpr const char* kNarrow = "44,8";

// Whichever candidate is the fastest, what is said of it is the same: PoCL takes a quarter of the time to compile it.
struct QuickKernels : Variable {
  QuickKernels() : Variable("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable") {}
};

}  // namespace

TEST_CASE("bench --tune searches, says what it found, and later runs take it") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const QuickKernels quick;
  const std::string file = folder / "b.json";
  // A search compiles many kernels: one workload a run.
  const Sampling sampling = Sampling::ofRun().named("tune");
  for (const std::string& workload : sampleOf(1, std::vector<std::string>{"soup", "conv2d", "bank"}, sampling)) {
    INFO(workload << ", " << Sampling::howToRepeat());
    Arguments arguments{"bench", workload, "--engine", "cpu:scalar,opencl:0", "--shape", kNarrow, "--json", file};
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
    if (contains(tuned.out, kNoSearch)) SSCOPE_SKIP(tuned.out.substr(tuned.out.find(kNoSearch)));
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
  useKnownCeilings();
  const Outcome none = run({"bench", "soup", "--engine", "cpu:scalar", "--shape", "16,12", "--tune"});
  INFO(none.err);
  CHECK(none.status == 0);
  CHECK(contains(none.out, "nothing to tune"));
  const Outcome sweep = run({"bench", "soup", "--sweep", "--engine", "cpu:scalar", "--shape", "16,12", "--tune"});
  CHECK(sweep.status == 0);
  CHECK(contains(sweep.out, "nothing to tune"));
}

TEST_CASE("bench --sweep --tune searches for rows that no search has checked, once") {
  if (!inShare(0, 3, Sampling::ofRun().named("sweep tune")))
    SSCOPE_SKIP("a third of the seeds does this; ./test --all does");
  useKnownCeilings();
  const TemporaryFolder folder;
  const QuickKernels quick;
  const OwnCache cache(true);  // in which nothing has been tuned
  const std::string file = folder / "b.json";
  const Arguments arguments{"bench",   "soup",  "--sweep", "--engine", "cpu:scalar,opencl:0/tuned",
                            "--shape", kNarrow, "--tune",  "--json",   file};
  const Outcome first = run(arguments);
  INFO(first.out + first.err);
  if (contains(first.err, "opencl:0")) SSCOPE_SKIP("no OpenCL device: " + first.err);
  REQUIRE(first.status == 0);
  const auto rowsOf = [&] {
    json params;
    const json document = json::parse(readTextFile(file));
    for (const json& row : document.at("results")) {
      if (row.contains("skipped")) continue;
      CHECK(row.at("verified") == true);
      if (row.at("engine") == "opencl:0") params.push_back(row.at("params"));
    }
    return params;
  };
  const json found = rowsOf();
  if (found.empty()) SSCOPE_SKIP("no OpenCL device");
  if (const Outcome other = run({"bench", "soup", "--engine", "opencl:0", "--shape", "16,12", "--tune"});
      contains(other.out, kNoSearch))
    SSCOPE_SKIP("this compiler is not searched with: " + other.out.substr(other.out.find(kNoSearch)));
  CHECK(contains(first.out, "\ntuned soup tuned on opencl:0: "));
  CHECK(contains(first.out, "; remembered\n"));
  CHECK(!contains(first.out, "nothing to tune"));
  const Outcome second = run(arguments);
  REQUIRE(second.status == 0);
  CHECK(contains(second.out, "nothing to tune"));
  CHECK(rowsOf() == found);
}
