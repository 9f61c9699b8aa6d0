#include "core/measure/cpu_time.h"

#include <fstream>

#include "core/measure/measurement.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("time that a hypervisor took is a share of all of it") {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& text) { std::ofstream(folder / "stat") << text; };
  write("cpu  100 0 50 800 20 3 7 20 11 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n");
  const StolenTime stolen(folder / "stat");
  CHECK_FALSE(stolen.share());  // no tick since
  write("cpu  150 0 50 840 20 3 7 30 11 0\n");
  CHECK(stolen.share() == Approx(0.1));
  write("cpu  150 0 50 840 20 3 7 10 11 0\n");
  CHECK_FALSE(stolen.share());  // the system corrected itself
  write("intr 1 2 3\n");
  CHECK_FALSE(stolen.share());
  CHECK_FALSE(StolenTime(folder / "nothing").share());
  write("cpu  150 0 50 840\n");  // a kernel without this field
  CHECK_FALSE(StolenTime(folder / "stat").share());
}

TEST_CASE("rows that a hypervisor disturbed are marked") {
  Measurement m;
  m.workload = "filter";
  m.engine = "cpu:a";
  m.samples = {0.5, 0.5, 0.5};
  m.verification.verified = true;
  CHECK_FALSE(m.disturbed());
  CHECK_FALSE(toJson(m).contains("stolen_share"));
  m.stolen = 0.004;
  CHECK_FALSE(m.disturbed());
  CHECK(toJson(m).at("stolen_share") == 0.004);
  CHECK(toTable({m}).find("500 !") == std::string::npos);
  m.stolen = 0.03;
  CHECK(m.disturbed());
  CHECK(toJson(m).at("disturbed") == true);
  CHECK(toTable({m}).find("500 !") != std::string::npos);
  BenchReport report;
  report.results.push_back(m);
  CHECK(toCsv(report).find("0.03") != std::string::npos);
}
