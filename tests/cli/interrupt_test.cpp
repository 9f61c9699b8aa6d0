#include <signal.h>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

// A run of minutes: 65^3 taps for every voxel, one at a time.
Arguments longRun(const TemporaryFolder& folder) {
  return {"filter",           folder / "in.nrrd", "-o",    folder / "out.nrrd", "--filter",
          "gaussian:sigma=8", "--variant",        "dense", "--engine",          "cpu:scalar"};
}

struct InterruptScene {
  InterruptScene() { writeNrrd(folder / "in.nrrd", randomVolume({128, 128, 64, 1}, ElementType::f32, 1)); }
  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("Ctrl-C stops a long run and leaves no file") {
  const InterruptScene scene;
  ::signal(SIGHUP, SIG_DFL);  // under nohup it would be ignored, there too
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    Running running(longRun(scene.folder));
    running.waitUntilBusy();
    running.signal(number);
    const Outcome outcome = running.finish();
    INFO(outcome.err);
    CHECK(outcome.status == 128 + number);
    CHECK(outcome.err == "error: canceled\n");
    CHECK(outcome.out.empty());
    CHECK(filesIn(scene.folder.path()) == std::vector<std::string>{"in.nrrd"});
  }
}

TEST_CASE("Ctrl-C stops a run that writes while it computes, and leaves no file") {
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume({256, 256, 160, 1}, ElementType::u8, 1));
  Running running(longRun(folder));
  expectNothingLeft(running, folder.path());
}

TEST_CASE("no library's handler hears Ctrl-C") {
  const InterruptScene scene;
  ::signal(SIGHUP, SIG_DFL);
  for (const char* engine : {"cpu:scalar", "opencl:0"}) {
    if (run({"bench", "filter", "--engine", engine, "--shape", "8,8"}).status != 0) continue;  // no such device
    Arguments arguments = longRun(scene.folder);
    arguments.back() = engine;
    Running running(arguments);
    running.waitUntilBusy();
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
      running.await([&] { return running.threadsThatHear(number) > 0; });  // the thread for it has come so far
      CHECK(running.threadsThatHear(number) == 1);
    }
    running.signal(SIGINT);
    CHECK(running.finish().err == "error: canceled\n");
  }
}

TEST_CASE("a second Ctrl-C at once leaves no file either") {
  const InterruptScene scene;
  Running running(longRun(scene.folder));
  running.waitUntilBusy();
  running.signal(SIGINT);
  running.signal(SIGTERM);
  // Two signals that wait together may be delivered in either order.
  const int status = running.finish().status;
  CHECK((status == 128 + SIGINT || status == 128 + SIGTERM));
  CHECK(filesIn(scene.folder.path()) == std::vector<std::string>{"in.nrrd"});
}

TEST_CASE("Ctrl-C stops a benchmark") {
  const TemporaryFolder folder;
  Running running({"bench", "filter", "--engine", "cpu:scalar", "--variant", "dense", "--shape", "128,128,64",
                   "--param", "filter=gaussian:sigma=8", "--json", folder / "b.json"});
  running.waitUntilBusy();
  running.signal(SIGINT);
  const Outcome outcome = running.finish();
  CHECK(outcome.status == 128 + SIGINT);
  CHECK(outcome.err == "error: canceled\n");
  CHECK(filesIn(folder.path()).empty());
}

TEST_CASE("Ctrl-C stops a sweep, or the search before it, and leaves no file") {
  const TemporaryFolder folder;
  for (const bool tune : {false, true}) {
    Arguments arguments{"bench",   "bank",        "--sweep",  "--engine",       "cpu:scalar",
                        "--shape", "128,128,128", "--report", folder / "b.html"};
    if (tune) arguments.insert(arguments.end(), {"--engine", "opencl:0", "--tune"});
    Running running(arguments);
    running.waitUntilBusy();
    running.signal(SIGINT);
    const Outcome outcome = running.finish();
    CHECK(outcome.status == 128 + SIGINT);
    CHECK(outcome.err == "error: canceled\n");
    CHECK(filesIn(folder.path()).empty());
  }
}

TEST_CASE("what is stopped once its files have their names is done") {
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume({160, 160, 160, 1}, ElementType::f64, 1));
  const std::vector<std::string> all{"a.nrrd", "b.nrrd", "in.nrrd"};
  Running running({"filter", folder / "in.nrrd", "-o", folder / "{}.nrrd", "--filter", "box:size=3,name=a", "--filter",
                   "box:size=3,name=b", "--engine", "cpu:scalar"});
  running.waitUntilThere(folder / "b.nrrd");
  running.signal(SIGINT);
  const Outcome outcome = running.finish();
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(!contains(outcome.err, "canceled"));
  CHECK(filesIn(folder.path()) == all);
}

TEST_CASE("a map that is stopped keeps the race and the cells that it has") {
  const TemporaryFolder folder;
  const auto log = folder / "log";
  Running running("/bin/sh",
                  {"-c",
                   "exec \"$0\" compare --engine cpu:scalar --shape 16,16,16 --filter median:size=5 --edges "
                   "8,12,16,24,32,64,128,192 --vary size=3,5,7 --verbose --json \"$1/c.json\" --report \"$1/c.html\" "
                   "2> \"$1/log\"",
                   programUnderTest(), folder.path().string()});
  running.await([&] { return fs::exists(log) && contentOf(log).find("mapped 1 cell") != std::string::npos; });
  running.signal(SIGINT);
  const Outcome outcome = running.finish();
  INFO(contentOf(log));
  CHECK(outcome.status == 128 + SIGINT);
  REQUIRE(fs::exists(folder / "c.json"));
  const auto document = nlohmann::json::parse(contentOf(folder / "c.json"));
  CHECK(document.at("lanes").size() == 1);
  std::size_t measured = 0;
  for (const auto& cell : document.at("break_even").at("cells")) measured += cell.at("measured") == true ? 1 : 0;
  CHECK(measured > 0);
  const std::string mark = "stopped after " + std::to_string(measured) + " of 24 cells of the map";
  CHECK(document.at("stopped") == mark);
  CHECK(contains(outcome.out, mark));
  CHECK(contains(contentOf(folder / "c.html"), mark));
}

TEST_CASE("a sweep that is stopped writes the rows that it has, and says how many") {
  for (const int number : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    const auto log = folder / "log";
    // The first orders take a moment; there are ten.
    Running running("/bin/sh",
                    {"-c",
                     "exec \"$0\" bench magic --sweep=order --engine cpu:scalar --shape 96,96,96 --verbose --json "
                     "\"$1/b.json\" --csv \"$1/b.csv\" --report \"$1/b.html\" 2> \"$1/log\"",
                     programUnderTest(), folder.path().string()});
    running.await([&] { return fs::exists(log) && contentOf(log).find("timed magic") != std::string::npos; });
    running.signal(number);
    const Outcome outcome = running.finish();
    INFO(contentOf(log));
    CHECK(outcome.status == 128 + number);
    REQUIRE(fs::exists(folder / "b.json"));
    const auto report = nlohmann::json::parse(contentOf(folder / "b.json"));
    const std::size_t rows = report.at("results").size();
    CHECK(rows > 0);
    CHECK(rows < 10);
    const std::string mark = "stopped after " + std::to_string(rows) + " of 10 rows of magic";
    CHECK(report.at("stopped") == mark);
    CHECK(contains(outcome.out, mark));
    CHECK(contains(contentOf(folder / "b.csv"), "# " + mark));
    CHECK(contains(contentOf(folder / "b.html"), mark));
  }
}
