// sscope-mpi bench on ranks of this machine.

#include <signal.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/mpi/launch.h"
#include "tests/support/catch.h"
#include "tests/support/environment.h"
#include "tests/support/programs.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope::test;

namespace {

// The points of a report, by number of ranks.
nlohmann::json pointsOf(int ranks, const Arguments& arguments) {
  const Outcome outcome =
      launch(ranks, builtProgram("sscope-mpi"), joined(joined({"bench"}, arguments), {"--json", "-"}));
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const nlohmann::json report = nlohmann::json::parse(outcome.out);
  CHECK(report.at("schema") == "stencilscope.scaling/1");
  CHECK(report.at("machines").size() == static_cast<std::size_t>(ranks));
  CHECK(report.at("model").at("latency_s") > 0);
  return report.at("points");
}

}  // namespace

TEST_CASE("every workload is timed on ranks, and every output is compared") {
  SSCOPE_NEEDS_MPIRUN();
  const std::vector<Arguments> cases{
      {"filter", "--shape", "19,17,23", "--param", "filter=gaussian:sigma=2", "--param", "boundary=wrap"},
      {"filter", "--shape", "41,37", "--param", "filter=median:size=3", "--param", "input=u8"},
#ifndef SSCOPE_WITHOUT_WAVELET
      {"magic", "--shape", "18,16,20"},
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
      {"dirac", "--shape", "4,3,5", "--param", "time=4"},
      {"cr", "--shape", "3,2,4", "--param", "time=4", "--param", "iterations=5"},
#endif
  };
  INFO(Sampling::howToRepeat());
  std::size_t turn = firstTurn();
  for (const Arguments& one : cases)
    for (const char* scaling : sampled(std::array{"strong", "weak"}, turn++)) {
      const nlohmann::json points = pointsOf(4, joined(one, {"--scaling", scaling, "--no-ceiling"}));
      INFO(one.front() << " " << scaling);
      REQUIRE(points.size() == 3);  // 1, 2, 4
      for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK(points[i].at("ranks") == 1 << i);
        CHECK(points[i].at("samples_s").size() >= 7);
        CHECK(points[i].at("compared") > 0);
        CHECK((points[i].at("sent_bytes") > 0) == (i > 0));
      }
      const double work = points[2].at("operations").get<double>() / points[0].at("operations").get<double>();
      CHECK(work == (std::string(scaling) == "weak" ? 4 : 1));
    }
}

TEST_CASE("a page draws how the work scales, and says how many devices were shared") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string page = (folder / "page.html").string();
  const nlohmann::json points =
      pointsOf(2, {"filter", "--shape", "9,8,7", "--param", "filter=box:size=3", "--no-ceiling", "--report", page});
  for (const nlohmann::json& point : points) CHECK(point.at("devices") == 0);
  const std::string html = contentOf(page);
  CHECK(contains(html, "<svg"));
  CHECK(contains(html, "Speed-up over ranks and devices"));
  CHECK_FALSE(contains(html, "model, not measured"));
}

TEST_CASE("rows of ranks that were timed before a stop are written") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const auto log = folder / "log", file = folder / "s.json";
  // Open MPI kills ranks a second after it asked them to end, which on a busy machine is too soon to write a file.
  const Variable mercy("OMPI_MCA_odls_base_sigkill_timeout", "4");
  // A row takes seconds, and mpirun a second until it passes the signal on.
  Arguments arguments{"-c", "exec \"$@\" 2> \"$0\"", log, programUnderTest()};
  Running running("/bin/sh", joined(arguments, ranksOf(3, builtProgram("sscope-mpi"),
                                                       {"bench", "filter", "--shape", "64,64,64", "--reps", "200",
                                                        "--no-ceiling", "--verbose", "--json", file})));
  running.await([&] { return std::filesystem::exists(log) && contains(contentOf(log), "timed 1 rank"); });
  running.signal(SIGINT);
  CHECK(running.finish().status != 0);
  CHECK(ranksEnd(file));
  INFO(contentOf(log));
  REQUIRE(std::filesystem::exists(file));
  const nlohmann::json report = nlohmann::json::parse(contentOf(file));
  const std::size_t rows = report.at("points").size();
  CHECK(rows > 0);
  CHECK(rows < 3);
  CHECK(report.at("stopped") == "stopped after " + std::to_string(rows) + " of 3 rows");
  CHECK(!report.contains("model"));
}

TEST_CASE("numbers of ranks are chosen, and those that cannot be are refused in one sentence") {
  SSCOPE_NEEDS_MPIRUN();
  const nlohmann::json points = pointsOf(3, {"filter", "--shape", "9,8,7", "--ranks", "3,1"});
  REQUIRE(points.size() == 2);
  CHECK(points[1].at("ranks") == 3);
  CHECK(points[1].at("copy_gbs") > 0);
  CHECK(points[1].at("share_of_copy") > 0);
  CHECK(points[0].at("allowed_efficiency") == 1);
  CHECK(points[1].at("allowed_efficiency") > 0);
  CHECK(points[1].at("arithmetic_gflops") > 0);
  CHECK(points[0].at("arithmetic_efficiency") == 1);
  if (std::thread::hardware_concurrency() >= 2) {
    const nlohmann::json pair = pointsOf(2, {"filter", "--shape", "9,8,7", "--param", "threads=1", "--no-ceiling"});
    CHECK(pair[1].at("threads_s") > 0);
    CHECK(!pair[0].contains("threads_s"));
  }
  std::size_t number = 0;
  const auto refused = [&](const Arguments& arguments, const std::string& words) {
    if (!takes(number++ % 2, 2, 0)) return;  // mpirun takes its time for each
    const Outcome outcome = launch(3, builtProgram("sscope-mpi"), joined({"bench"}, arguments));
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(lineCount(outcome.err) == 1);
    CHECK(contains(outcome.err, words));
    CHECK(!contains(outcome.err, "(rank"));
    CHECK(outcome.out.empty());
  };
  refused({"filter", "--ranks", "4"}, "there are 3 ranks, not 4; start it with mpirun -n 4");
  refused({"filter", "--shape", "9,8,2"}, "there are fewer planes (2) than ranks (3)");
  refused({"filter", "--engine", "cpu:none"}, "there is no engine cpu:none");
  refused({"filter", "--variant", "none"}, "there is no variant none");
  refused({"nothing"}, "there is no workload nothing");
#ifndef SSCOPE_WITHOUT_WAVELET
  refused({"magic", "--param", "order=x"}, "order");
#endif
#ifndef SSCOPE_WITHOUT_LATTICE
  refused({"cr", "--shape", "4,4,2", "--param", "time=1"}, "too few planes along z and t for 3 ranks");
#endif
}
