#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/paths.h"
#include "tests/cli/known_ceilings.h"
#include "tests/cli/program.h"
#include "tests/cli/shell.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

TEST_CASE("bench writes the documented JSON") {
  const OwnCache cache(false);  // so that ceilings are measured, and remembered
  const Outcome outcome = run({"bench", "filter", "--engine", "cpu:scalar,cpu:sse4", "--shape", "20,18,10", "--param",
                               "filter=gaussian:sigma=1,order_x=1", "--param", "filter=sobel", "--param",
                               "boundary=wrap", "--param", "input=u8", "--param", "threads=1", "--json", "-"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const json document = json::parse(outcome.out);
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
  CHECK(contains(readTextFile(cache.path() / "stencilscope" / "ceilings.json"), "cpu:sse4"));
}

TEST_CASE("bench prints a table, CSV with a line for every row, and a page") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const Outcome outcome = run({"bench", "all", "--engine", "cpu:scalar", "--shape", "8,8", "--csv", folder / "b.csv",
                               "--report", folder / "b.html", "--json", folder / "b.json"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  for (const char* column : {"engine", "variant", "ms", "GFLOP/s", "of ceiling", "error"})
    CHECK(contains(outcome.out, column));
  const std::size_t rows = json::parse(readTextFile(folder / "b.json")).at("results").size();
  CHECK(rows >= 3);
  const std::string csv = readTextFile(folder / "b.csv");
  CHECK(lineCount(csv) == rows + 1);
  CHECK(csv.rfind("workload,variant,", 0) == 0);
  CHECK(contains(readTextFile(folder / "b.html"), "<svg"));
}

TEST_CASE("bench runs a sample on every engine found and lists absent ones") {
  useKnownCeilings();
  const Outcome outcome = run({"bench", "filter", "--engine", "all", "--sample", "gyroid", "--size", "16", "--param",
                               "filter=gaussian:sigma=1", "--json", "-"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const json document = json::parse(outcome.out);
  CHECK(document.at("results").size() == document.at("machine").at("devices").size());
  for (const json& row : document.at("results")) {
    INFO(row.dump());
    CHECK((row.contains("skipped") || row.at("verified") == true));
  }
}

TEST_CASE("bench fails in one sentence where nothing that was asked for can run") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const std::vector<std::string> words{"bench",   "filter",          "--variant", "selection",
                                       "--shape", "8,8,8",           "--param",   "filter=gaussian:sigma=1",
                                       "--json",  folder / "b.json", "--engine"};
  const auto on = [&](const std::string& engines) {
    std::vector<std::string> all = words;
    all.push_back(engines);
    return run(all);
  };
  const Outcome none = on("cpu:scalar,cpu:sse4");
  CHECK(none.status == 1);
  CHECK(none.err.starts_with("error: nothing was timed: cpu:scalar: the variant selection cannot run this"));
  CHECK(contains(none.err, ", nor could 1 more row"));
  CHECK(lineCount(none.err) == 1);
  CHECK(contains(none.out, "skipped: "));  // the table and the document are there all the same
  CHECK(json::parse(readTextFile(folder / "b.json")).at("results").size() == 2);
  CHECK(on("cpu:scalar,cpu:scalar/separable").status == 0);
}

TEST_CASE("bench takes a file") {
  useKnownCeilings();
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume({12, 12, 3, 1}, ElementType::u16, 1));
  const Outcome outcome = run({"bench", "filter", "--engine", "cpu:scalar", "--input", folder / "in.nrrd", "--param",
                               "output=same", "--json", "-"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const json row = json::parse(outcome.out).at("results").at(0);
  CHECK(row.at("input") == "u16");
  CHECK(row.at("shape") == json::array({12, 12, 3}));
  CHECK(row.at("rel_l2") == 0);  // integers are equal
}

TEST_CASE("bench --sweep runs the points of a ladder and redraws its figures") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const Outcome outcome =
      run({"bench", "bank", "--sweep", "--engine", "cpu:scalar/naive,cpu:scalar/blocked", "--shape", "12,10,8",
           "--param", "size=3", "--json", folder / "b.json", "--csv", folder / "b.csv", "--report", folder / "b.html"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(contains(outcome.out, "the requested size"));
  CHECK(contains(outcome.out, "filters=32"));
  const json document = json::parse(readTextFile(folder / "b.json"));
  CHECK(document.at("schema") == "stencilscope.bench/1");
  std::vector<int> filters;
  for (const json& row : document.at("results")) {
    CHECK(row.at("verified") == true);
    CHECK(row.at("params").at("size") == 3);
    if (row.at("variant") == "naive") filters.push_back(row.at("params").at("filters"));
  }
  CHECK(filters == std::vector<int>{1, 2, 3, 4, 8, 16, 32});
  CHECK(document.at("results").size() == 14);
  CHECK(lineCount(readTextFile(folder / "b.csv")) == 15);
  const std::string page = readTextFile(folder / "b.html");
  for (const char* part : {"id='bank-seconds'", "id='bank-efficiency'", "naive, cpu:scalar", "AMD Radeon HD 6970",
                           "Published", "prefers-color-scheme", "f32 GFLOP/s", "<title>"})
    CHECK(contains(page, part));
  for (const char* part : {"<script", "<link", "src=", "url("}) CHECK(!contains(page, part));
}

TEST_CASE("bench --sweep keeps to what is asked for") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const Outcome outcome = run({"bench", "conv2d", "--sweep", "--engine", "cpu:scalar", "--variant", "naive", "--shape",
                               "16,12", "--param", "height=5", "--json", "-"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const json document = json::parse(outcome.out);
  CHECK(document.at("results").size() == 5);
  for (const json& row : document.at("results")) CHECK(row.at("params").at("height") == 5);
  CHECK(run({"bench", "filter", "--sweep"}).status == 2);
  CHECK(run({"bench", "bank", "--full"}).status == 2);
  CHECK(run({"bench", "bank", "--sweep", "--sample", "gyroid"}).status == 2);
  CHECK(run({"bench", "conv2d", "--sweep", "--shape", "8,8,8"}).status == 2);
}

TEST_CASE("bench writes every file that can be written, whatever becomes of the others") {
  useKnownCeilings();
  if (!std::filesystem::exists("/dev/full")) SSCOPE_SKIP("there is no /dev/full");
  const TemporaryFolder folder;
  const std::string err = folder / "err";
  CHECK(shell("sscope bench filter --engine cpu:scalar --shape 8,8 --json " + (folder / "b.json").string() + " --csv " +
              (folder / "b.csv").string() + " > /dev/full 2> " + err) == 1);
  CHECK(contains(readTextFile(err), "cannot write to the standard output"));
  CHECK(lineCount(readTextFile(err)) == 1);
  CHECK(json::parse(readTextFile(folder / "b.json")).at("results").size() == 1);
  CHECK(lineCount(readTextFile(folder / "b.csv")) == 2);
}

TEST_CASE("bench says how many tiles of a filter by transforms were summed") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const std::filesystem::path taps = folder.path() / "taps.json";
  json document{{"size", {21, 21, 1}}, {"taps", json::array()}};
  for (int i = 0; i < 441; ++i) document["taps"].push_back((i * i) % 7 + 1);
  std::ofstream(taps) << document;
  const auto outcome = [&](const std::vector<std::string>& data) {
    std::vector<std::string> words{"bench",     "filter", "--engine", "cpu:scalar",
                                   "--variant", "fft",    "--param",  "filter=custom:file=" + taps.string()};
    words.insert(words.end(), data.begin(), data.end());
    return run(words);
  };
  const Outcome wide = outcome({"--sample", "hydrogen", "--size", "32"});  // its numbers span decades
  INFO(wide.out << wide.err);
  CHECK(wide.out.find("cpu:scalar fft: sums in ") != std::string::npos);
  const Outcome noise = outcome({"--shape", "90,80", "--param", "input=u16"});
  INFO(noise.out << noise.err);
  CHECK(noise.status == 0);
  CHECK(noise.out.find("sums in ") == std::string::npos);
}
