#include <algorithm>
#include <filesystem>

#include "tests/cli/known_ceilings.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

struct BenchScene : Scene {
  BenchScene() : Scene(randomVolume({12, 12, 3, 1}, ElementType::u16, 1)) { useKnownCeilings(); }
};

}  // namespace

TEST_CASE("bench writes the documented JSON") {
  const OwnCache cache(false);  // so that ceilings are measured, and remembered
  const Scene scene;
  const json document = scene.report(
      "bench filter --engine cpu:scalar,cpu:sse4 --shape 20,18,10 --param filter=gaussian:sigma=1,order_x=1 "
      "--param filter=sobel --param boundary=wrap --param input=u8 --param threads=1");
  CHECK(document.at("schema") == "stencilscope.bench/1");
  for (const char* key : {"cpu", "threads", "os", "devices"}) CHECK(document.at("machine").contains(key));
  REQUIRE(document.at("results").size() == 2);
  for (const json& row : document.at("results")) {
    INFO(row.dump());
    for (const char* key :
         {"workload", "variant", "engine",      "shape",    "params",      "input",  "precision", "reps",
          "median_s", "min_s",   "q1_s",        "q3_s",     "samples_s",   "phases", "flops",     "bytes",
          "gflops",   "gbs",     "peak_gflops", "peak_gbs", "utilization", "rel_l2", "max_ulp",   "verified"})
      REQUIRE(row.contains(key));
    CHECK(row.at("verified") == true);
    CHECK(row.at("shape") == json::array({20, 18, 10}));
    CHECK(row.at("input") == "u8");
    CHECK(row.at("threads") == 1);
    CHECK(row.at("reps").get<std::size_t>() == row.at("samples_s").size());
    CHECK(row.at("reps").get<int>() >= 7);
    CHECK(row.at("min_s") <= row.at("q1_s"));
    CHECK(row.at("q1_s") <= row.at("median_s"));
    CHECK(row.at("median_s") <= row.at("q3_s"));
    const double median = row.at("median_s"), flops = row.at("flops"), bytes = row.at("bytes");
    CHECK(row.at("gflops").get<double>() == Approx(flops / median * 1e-9));
    const double limit =
        std::min(row.at("peak_gflops").get<double>(), flops / bytes * row.at("peak_gbs").get<double>());
    CHECK(row.at("utilization").get<double>() == Approx(row.at("gflops").get<double>() / limit));
  }
  CHECK(contains(contentOf(cache.path() / "stencilscope" / "ceilings.json"), "cpu:sse4"));
}

TEST_CASE("bench prints a table, CSV with a line for every row, and a page") {
  const BenchScene scene;
  const Outcome outcome =
      scene.ok("bench all --engine cpu:scalar --shape 8,8 --csv b.csv --report b.html --json b.json");
  for (const char* column : {"engine", "variant", "ms", "GFLOP/s", "of ceiling", "error"})
    CHECK(contains(outcome.out, column));
  const std::size_t rows = scene.document("b.json").at("results").size();
  CHECK(rows >= 3);
  CHECK(lineCount(scene.text("b.csv")) == rows + 1);
  CHECK(scene.text("b.csv").starts_with("workload,variant,"));
  CHECK(contains(scene.text("b.html"), "<svg"));
}

TEST_CASE("bench runs samples and files, on every engine found, and lists absent ones") {
  const BenchScene scene;
  const json document =
      scene.report("bench filter --engine all --sample gyroid --size 16 --param filter=gaussian:sigma=1");
  CHECK(document.at("results").size() == document.at("machine").at("devices").size());
  for (const json& row : document.at("results")) {
    INFO(row.dump());
    CHECK((row.contains("skipped") || row.at("verified") == true));
  }
  const json row =
      scene.report("bench filter --engine cpu:scalar --input in.nrrd --param output=same").at("results").at(0);
  CHECK(row.at("input") == "u16");
  CHECK(row.at("shape") == json::array({12, 12, 3}));
  CHECK(row.at("rel_l2") == 0);  // integers are equal
}

TEST_CASE("bench fails in one sentence where nothing that was asked for can run") {
  const BenchScene scene;
  const std::string bench =
      "bench filter --variant selection --shape 8,8,8 --param filter=gaussian:sigma=1 --json b.json --engine ";
  const Outcome none = scene.run(bench + "cpu:scalar,cpu:sse4");
  CHECK(none.status == 1);
  CHECK(none.err.starts_with("error: nothing was timed: cpu:scalar: the variant selection cannot run this"));
  CHECK(contains(none.err, ", nor could 1 more row"));
  CHECK(lineCount(none.err) == 1);
  CHECK(contains(none.out, "skipped: "));  // the table and the document are there all the same
  CHECK(scene.document("b.json").at("results").size() == 2);
  scene.ok(bench + "cpu:scalar,cpu:scalar/separable");
}

TEST_CASE("bench --sweep runs the points of a ladder and redraws its figures") {
  const BenchScene scene;
  const Outcome outcome = scene.ok(
      "bench bank --sweep --engine cpu:scalar/naive,cpu:scalar/blocked --shape 12,10,8 --param size=3 "
      "--json b.json --csv b.csv --report b.html");
  CHECK(contains(outcome.out, "the requested size"));
  CHECK(contains(outcome.out, "filters=32"));
  const json document = scene.document("b.json");
  CHECK(document.at("schema") == "stencilscope.bench/1");
  std::vector<int> filters;
  for (const json& row : document.at("results")) {
    CHECK(row.at("verified") == true);
    CHECK(row.at("params").at("size") == 3);
    if (row.at("variant") == "naive") filters.push_back(row.at("params").at("filters"));
  }
  CHECK(filters == std::vector<int>{1, 2, 3, 4, 8, 16, 32});
  CHECK(document.at("results").size() == 14);
  CHECK(lineCount(scene.text("b.csv")) == 15);
  const std::string page = scene.text("b.html");
  for (const char* part : {"id='bank-seconds'", "id='bank-efficiency'", "naive, cpu:scalar", "AMD Radeon HD 6970",
                           "Published", "prefers-color-scheme", "f32 GFLOP/s", "<title>"})
    CHECK(contains(page, part));
  for (const char* part : {"<script", "<link", "src=", "url("}) CHECK(!contains(page, part));
  // It keeps to what is asked for.
  const json kept =
      scene.report("bench conv2d --sweep --engine cpu:scalar --variant naive --shape 16,12 --param height=5");
  CHECK(kept.at("results").size() == 5);
  for (const json& row : kept.at("results")) CHECK(row.at("params").at("height") == 5);
  scene.refuse(2, {{"bench filter --sweep", ""},
                   {"bench bank --full", ""},
                   {"bench bank --sweep --sample gyroid", ""},
                   {"bench conv2d --sweep --shape 8,8,8", ""}});
}

TEST_CASE("bench writes every file that can be written, whatever becomes of the others") {
  if (!std::filesystem::exists("/dev/full")) SSCOPE_SKIP("there is no /dev/full");
  const BenchScene scene;
  expectRefusal(
      scene.shell("sscope bench filter --engine cpu:scalar --shape 8,8 --json b.json --csv b.csv > /dev/full"), 1,
      "cannot write to the standard output");
  CHECK(scene.document("b.json").at("results").size() == 1);
  CHECK(lineCount(scene.text("b.csv")) == 2);
}

TEST_CASE("bench prints how many tiles of a filter by transforms were summed") {
  const BenchScene scene;
  json document{{"size", {21, 21, 1}}, {"taps", json::array()}};
  for (int i = 0; i < 441; ++i) document["taps"].push_back((i * i) % 7 + 1);
  scene.write("taps.json", document.dump());
  const std::string bench = "bench filter --engine cpu:scalar --variant fft --param filter=custom:file=taps.json ";
  // Its numbers span decades.
  CHECK(contains(scene.run(bench + "--sample hydrogen --size 32").out, "cpu:scalar fft: sums in "));
  CHECK(!contains(scene.ok(bench + "--shape 90,80 --param input=u16").out, "sums in "));
}
