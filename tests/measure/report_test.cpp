#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/paths.h"
#include "core/measure/ceilings.h"
#include "core/measure/measurement.h"
#include "tests/support/catch.h"
#include "tests/support/environment.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;
using sscope::test::TemporaryFolder;

namespace {

Measurement sample() {
  Measurement m;
  m.workload = "filter";
  m.variant = "auto";
  m.ran = "separable";
  m.engine = "cpu:avx2";
  m.shape = {32, 16, 8};
  m.params = {{"boundary", "nearest"}, {"filters", {"a", "b"}}};
  m.input = "u8";
  m.samples = {0.1 + 0.2, 0.1, 0.2};
  m.phases = {0.01, 0, 0.2, 0, 0.21};
  m.operations = 2e9;
  m.bytes = 1e9;
  m.caches = "warm";
  m.verification.verified = true;
  m.verification.compared = 4096;
  m.verification.relativeL2 = 1e-7;
  m.verification.coverage = "full volume";
  m.ceilings = Ceilings{100, 50, 10, 2, "2026-01-01T00:00:00Z"};
  return m;
}

Measurement skipped() {
  Measurement m;
  m.workload = "filter";
  m.engine = "cuda:0";
  m.skipped = "no \"libcuda.so.1\", sorry";
  return m;
}

Measurement failed() {
  Measurement m = sample();
  m.failed = "the output is wrong";
  m.verification.verified = false;
  return m;
}

// Cells of one CSV line with RFC 4180 quotes.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> list{""};
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && inside && i + 1 < line.size() && line[i + 1] == '"') {
      list.back() += line[i++];
    } else if (line[i] == '"') {
      inside = !inside;
    } else if (line[i] == ',' && !inside) {
      list.emplace_back();
    } else {
      list.back() += line[i];
    }
  }
  return list;
}

}  // namespace

TEST_CASE("a row of JSON has every figure in full precision") {
  const nlohmann::json row = nlohmann::json::parse(toJson(sample()).dump());
  CHECK(row.at("samples_s").at(0).get<double>() == 0.1 + 0.2);
  CHECK(row.at("reps") == 3);
  CHECK(row.at("median_s") == 0.2);
  CHECK(row.at("min_s") == 0.1);
  CHECK(row.at("q1_s").get<double>() == Approx(0.15));
  CHECK(row.at("q3_s").get<double>() == Approx(0.25));
  CHECK(row.at("gflops").get<double>() == Approx(10));
  CHECK(row.at("gbs").get<double>() == Approx(5));
  CHECK(row.at("peak_gflops") == 100);
  CHECK(row.at("utilization").get<double>() == Approx(0.5));
  CHECK(row.at("phases").at("compile_s") == 0.01);
  CHECK(row.at("verified") == true);
  CHECK(row.at("shape") == nlohmann::json::array({32, 16, 8}));
}

TEST_CASE("rows without checked output have no figures") {
  for (const Measurement& m : {skipped(), failed()}) {
    const nlohmann::json row = toJson(m);
    for (const char* key : {"median_s", "samples_s", "gflops", "utilization"}) CHECK(!row.contains(key));
  }
  CHECK(toJson(skipped()).at("skipped") == skipped().skipped);
  CHECK(toJson(failed()).at("verified") == false);
  CHECK(toTable({failed()}).find("FAILED: the output is wrong") != std::string::npos);
  CHECK(toHtml({{}, {}, {failed()}}).find("<rect") == std::string::npos);
}

TEST_CASE("CSV has one cell for every column") {
  std::istringstream lines(toCsv({{}, {}, {sample(), skipped(), failed()}}));
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> header = cells(line);
  std::vector<std::vector<std::string>> rows;
  while (std::getline(lines, line)) rows.push_back(cells(line));
  REQUIRE(rows.size() == 3);
  for (const auto& row : rows) REQUIRE(row.size() == header.size());
  const auto cell = [&](std::size_t row, const std::string& column) {
    const auto at = std::find(header.begin(), header.end(), column) - header.begin();
    return rows[row].at(static_cast<std::size_t>(at));
  };
  CHECK(cell(0, "shape") == "32x16x8");
  CHECK(cell(0, "samples_s") == "0.30000000000000004;0.1;0.2");
  CHECK(cell(0, "kernel_s") == "0.2");
  CHECK(nlohmann::json::parse(cell(0, "params")) == sample().params);
  CHECK(cell(1, "skipped") == skipped().skipped);
  CHECK(cell(1, "median_s").empty());
  CHECK(cell(2, "failed") == "the output is wrong");
}

TEST_CASE("every scalar field of the JSON row has its column") {
  std::istringstream lines(toCsv({{}, {}, {}}));
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> header = cells(line);
  const auto has = [&](const std::string& name) {
    return std::find(header.begin(), header.end(), name) != header.end();
  };
  Measurement m = sample();
  m.executedOperations = 1;
  m.approximate = true;
  m.ceilingsOf = "cpu:avx512";
  const nlohmann::json full = toJson(m);
  for (const auto& [key, value] : full.items())
    if (key != "phases") CHECK(has(key));
  for (const auto& [key, value] : full.at("phases").items()) CHECK(has(key));
}

TEST_CASE("a table compares with the peers") {
  Measurement peer = sample();
  peer.engine = "peer:itk";
  peer.engineKind = EngineKind::Peer;
  peer.variant = "discrete";
  for (double& s : peer.samples) s *= 20;
  const std::string table = toTable({sample(), peer});
  CHECK(table.find("vs peer:itk discrete") != std::string::npos);
  CHECK(table.find("20.0x") != std::string::npos);
}

TEST_CASE("the page escapes what it shows and draws a bar for each row") {
  Measurement m = sample();
  m.engineName = "<b>";
  m.variant = "a<b&c";
  const std::string html = toHtml({{}, {}, {m, skipped(), sample()}});
  CHECK(html.find("a<b") == std::string::npos);
  CHECK(html.find("a&lt;b&amp;c") != std::string::npos);
  std::size_t bars = 0;
  for (std::size_t at = html.find("<rect"); at != std::string::npos; at = html.find("<rect", at + 1)) ++bars;
  CHECK(bars == 3);                                      // one of them in the legend
  CHECK(html.find("http://") == html.rfind("http://"));  // nothing is loaded; the one is SVG's own name
}

TEST_CASE("a row faster than its ceiling says which ceiling is missing") {
  Measurement m = sample();
  CHECK(surpassedText(m).empty());
  CHECK_FALSE(toJson(m).contains("surpassed"));
  m.samples = {0.05};  // 40 GFLOP/s and 20 GB/s
  const std::string memory =
      "cpu:avx2 auto surpasses the copy's 10.0 GB/s with 20.0 GB/s: its data do not come from memory; ";
  CHECK(surpassedText(m) == memory + "the ceiling of second-level caches is missing");
  CHECK(toJson(m).at("surpassed") == surpassedText(m));
  // What a run excludes is not its reason.
  for (const char* cold : {"cold: 683 buffers in turn", "data larger than the last cache level"}) {
    Measurement other = m;
    other.caches = cold;
    CHECK_THAT(surpassedText(other), ContainsSubstring("no cache holds its data: the ceiling was measured too low"));
    CHECK_THAT(surpassedText(other), !ContainsSubstring("caches reach"));
  }
  m.ceilings->gbsCache = 50;
  CHECK(surpassedText(m) == memory + "second-level caches reach 50.0 GB/s");
  m.ceilings->gbsCache = 15;
  CHECK(surpassedText(m) ==
        memory + "second-level caches reach 15.0 GB/s, and the ceiling of caches nearer to the cores is missing");

  m.bytes = 1e6;
  m.samples = {0.01};  // 200 GFLOP/s
  const std::string arithmetic = "cpu:avx2 auto surpasses 100 GFLOP/s of multiply-adds in registers with 200 GFLOP/s: ";
  CHECK(surpassedText(m) == arithmetic + "the ceiling of multiply-adds of integers is missing");
  m.ceilings->gopsInteger = 400;
  CHECK(surpassedText(m) == arithmetic + "multiply-adds of integers reach 400 GOP/s");
  m.ceilings->gopsInteger = 150;
  CHECK(surpassedText(m) ==
        arithmetic + "multiply-adds of integers reach 150 GOP/s, and the ceiling of narrower " + "integers is missing");
  m.input = "f32";
  CHECK(surpassedText(m) == arithmetic + "it executes fewer operations than it counts, whose number is missing");
  m.executedOperations = 0.9e9;  // now 90 GFLOP/s
  CHECK(surpassedText(m).empty());
}

TEST_CASE("ceilings are kept for each driver and number of threads") {
  const test::PrivateCache cache;
  EngineInfo engine;
  engine.id = "cpu:avx2";
  CHECK(!storedCeilings(engine, 1));
  storeCeilings(engine, 1, {100.5, 50.25, 10.125, 1, "2026-01-01T00:00:00Z"});
  storeCeilings(engine, 2, {200, 100, 20, 2, "2026-01-02T00:00:00Z"});
  REQUIRE(storedCeilings(engine, 1));
  CHECK(storedCeilings(engine, 1)->gflopsF32 == 100.5);
  CHECK(storedCeilings(engine, 2)->gbs == 20);
  storeCeilings(engine, 1, {90, 45, 9, 1, "2026-01-03T00:00:00Z", 60, 180, 70, 80});
  CHECK(storedCeilings(engine, 1)->gflopsF32 == 90);
  CHECK(storedCeilings(engine, 1)->gflopsLoaded == 60);
  CHECK(storedCeilings(engine, 1)->gopsInteger == 180);
  CHECK(storedCeilings(engine, 1)->gbsCache == 70);
  CHECK(storedCeilings(engine, 1)->gbsLocal == 80);
  CHECK(storedCeilings(engine, 2)->gopsInteger == 0);
  engine.driver = "another";
  CHECK(!storedCeilings(engine, 1));

  // A damaged store is measured again, not an error.
  writeTextFile(cacheDirectory() / "ceilings.json", "{\"schema\": 1, ");
  engine.driver.clear();
  CHECK(!storedCeilings(engine, 1));
}

TEST_CASE("repetitions beside other programs are marked") {
  Measurement m = sample();
  CHECK(toTable({m}).find('!') == std::string::npos);
  m.beside.add({1, 3.5, 0, true});
  m.beside.add({1, 2, 0.5, true});
  CHECK(m.beside.text(7) ==
        "2 of 7 repetitions beside other work, 3.50 cores of other programs, 0.500 cores withheld by a hypervisor");
  CHECK_THAT(toTable({m}), ContainsSubstring(" !"));
  CHECK(toJson(m).at("beside").at("repetitions") == 2);
}

TEST_CASE("a report that was stopped says so") {
  BenchReport report{{}, {}, {sample()}, {}, "stopped after 1 of 60 rows of bank"};
  CHECK(toJson(report).at("stopped") == report.stopped);
  CHECK(toCsv(report).ends_with("# stopped after 1 of 60 rows of bank\n"));
  CHECK_THAT(toHtml(report), ContainsSubstring("<strong>stopped after 1 of 60 rows of bank</strong>"));
  report.stopped.clear();
  CHECK_FALSE(toJson(report).contains("stopped"));
}
