#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/paths.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

TEST_CASE("bench job steps a slider from end to end, every step checked") {
  const TemporaryFolder folder;
  const std::string file = folder / "job.json";
  const Outcome outcome =
      run({"bench", "job", "--engine", "cpu:scalar,cpu:scalar/dense,opencl:0", "--shape", "24,20,16", "--param",
           "filter=gaussian:sigma=1", "--param", "filter=sobel", "--reps", "3", "--json", file});
  INFO(outcome.out + outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(contains(outcome.out, "slider: gaussian:sigma=1, sobel; 24x20x16 f32 -> f32, boundary nearest\n"));
  const json document = json::parse(readTextFile(file));
  CHECK(document.at("schema") == "stencilscope.job/1");
  const json& rows = document.at("results");
  REQUIRE((rows.size() == 8 || rows.size() == 12));  // the device may be absent
  CHECK((rows.size() == 12) != contains(outcome.out, "opencl:0 absent: "));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const json& row = rows[i];
    INFO(row.dump());
    const std::array<std::string, 4> steps{"first", "new data", "same data", "resident"};
    CHECK(row.at("step") == steps[i % 4]);
    CHECK(row.at("verified") == true);
    const std::size_t samples = i % 4 == 0 ? 1 : 3;
    const bool resident = i % 4 == 3;
    for (const char* name : {"slices_seconds", "phases"}) CHECK(row.at(name).size() == samples);
    for (const char* name : {"whole_seconds", "brick_seconds"}) CHECK(row.at(name).size() == (resident ? 0 : samples));
    if (resident) {
      CHECK(row.at("previewed_on") == row.at("engine"));
      CHECK((row.at("device_bytes").get<std::int64_t>() > 0) == (row.at("engine") == "opencl:0"));
      for (std::size_t s = 0; s < samples; ++s) {
        const double slices = row.at("slices_seconds")[s].get<double>();
        CHECK(slices > row.at("phases")[s].at("kernel_s").get<double>());
        CHECK(row.at("phases")[s].at("upload_s") == 0);
        CHECK(row.at("phases")[s].at("compile_s") == 0);
      }
      continue;
    }
    for (std::size_t s = 0; s < samples; ++s) {
      const double slices = row.at("slices_seconds")[s].get<double>(), whole = row.at("whole_seconds")[s].get<double>();
      CHECK(slices > 0);
      CHECK(whole > slices);
      CHECK(row.at("phases")[s].at("kernel_s").get<double>() < whole);
    }
  }
  CHECK(rows[0].at("ran") == "separable");
  CHECK(rows[4].at("variant") == "dense");
  CHECK(rows[4].at("ran") == "dense");
}

TEST_CASE("bench job --slices computes and checks the slices alone") {
  const TemporaryFolder folder;
  const std::string file = folder / "slices.json";
  const Outcome outcome = run({"bench", "job", "--slices", "--engine", "cpu:scalar", "--shape", "24,20,16", "--param",
                               "filter=median", "--reps", "3", "--json", file});
  INFO(outcome.out + outcome.err);
  REQUIRE(outcome.status == 0);
  const json rows = json::parse(readTextFile(file)).at("results");
  REQUIRE(rows.size() == 2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO(rows[i].dump());
    CHECK(rows[i].at("step") == (i == 0 ? "first" : "slices"));
    CHECK(rows[i].at("verified") == true);
    CHECK(rows[i].at("coverage") == "full volume");  // of each slice
    CHECK(rows[i].at("slices_seconds").size() == (i == 0 ? 1 : 3));
    CHECK(rows[i].at("whole_seconds").empty());
  }
  const Outcome refused = run({"bench", "filter", "--slices"});
  CHECK(refused.status == 2);
  CHECK(contains(refused.err, "--slices is for the job"));
}

TEST_CASE("bench job leaves out the variants that cannot run its filters, and says why") {
  const Outcome outcome =
      run({"bench", "job", "--engine", "cpu:scalar", "--variant", "all", "--shape", "8,8,8", "--reps", "1"});
  INFO(outcome.out + outcome.err);
  CHECK(outcome.status == 0);
  CHECK(contains(outcome.out, "\ncpu:scalar/bisection skipped: no filter of the bank is an order statistic\n"));
  CHECK(!contains(outcome.out, "failed"));
  const Outcome none =
      run({"bench", "job", "--engine", "cpu:scalar", "--variant", "bisection", "--shape", "8,8,8", "--reps", "1"});
  CHECK(none.status == 1);
  CHECK(contains(none.err, "(cpu:scalar/bisection skipped: no filter of the bank is an order statistic); choose"));
}

TEST_CASE("bench job says what it does not take, and what does not fit") {
  for (const char* option : {"--sweep", "--tune", "--warm", "--remeasure"}) {
    const Outcome outcome = run({"bench", "job", option});
    CHECK(outcome.status == 2);
    CHECK(contains(outcome.err, " is not for the job; leave it out"));
  }
  const Outcome large = run({"bench", "job", "--engine", "cpu:scalar", "--shape", "60000,60000,600"});
  CHECK(large.status == 1);
  CHECK(std::ranges::count(large.err, '\n') == 1);
}
