// Ctrl-C and the other signals that end a program.

#include <signal.h>

#include <filesystem>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// A run of minutes: 65^3 taps for every voxel, one at a time.
const std::string kLong = "filter in.nrrd -o out.nrrd --filter gaussian:sigma=8 --variant dense --engine ";

struct InterruptScene : Scene {
  InterruptScene() : Scene(randomVolume({128, 128, 64, 1}, ElementType::f32, 1)) {}
};

// A run through a shell that logs what it does, stopped once the log holds `mark`.
Outcome stoppedAt(const Scene& scene, const std::string& line, const std::string& mark, int number) {
  Running running("/bin/sh", {"-c", "exec \"$0\" " + line + " --verbose 2> log", programUnderTest()}, scene.folder());
  running.await([&] { return scene.has("log") && contains(scene.text("log"), mark); });
  running.signal(number);
  Outcome outcome = running.finish();
  INFO(scene.text("log"));
  CHECK(outcome.status == 128 + number);
  return outcome;
}

}  // namespace

TEST_CASE("a signal stops a long run, which leaves no file") {
  const InterruptScene scene;
  ::signal(SIGHUP, SIG_DFL);  // under nohup it would be ignored, there too
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    Running running = scene.start(kLong + "cpu:scalar");
    expectCanceled(running, number);
    CHECK(scene.files() == std::vector<std::string>{"in.nrrd"});
  }
  // A second one at once: two signals that wait together may be delivered in either order.
  Running running = scene.start(kLong + "cpu:scalar");
  running.waitUntilBusy();
  running.signal(SIGINT);
  running.signal(SIGTERM);
  const int status = running.finish().status;
  CHECK((status == 128 + SIGINT || status == 128 + SIGTERM));
  CHECK(scene.files() == std::vector<std::string>{"in.nrrd"});
}

TEST_CASE("Ctrl-C stops a run that writes while it computes, and leaves no file") {
  const Scene scene(randomVolume({256, 256, 160, 1}, ElementType::u8, 1));
  Running running = scene.start(kLong + "cpu:scalar");
  expectNothingLeft(running, scene.folder());
}

TEST_CASE("no library's handler hears Ctrl-C") {
  const InterruptScene scene;
  ::signal(SIGHUP, SIG_DFL);
  for (const std::string engine : {"cpu:scalar", "opencl:0"}) {
    if (scene.run("bench filter --shape 8,8 --engine " + engine).status != 0) continue;  // no such device
    Running running = scene.start(kLong + engine);
    running.waitUntilBusy();
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
      running.await([&] { return running.threadsThatHear(number) > 0; });  // the thread for it has come so far
      CHECK(running.threadsThatHear(number) == 1);
    }
    running.signal(SIGINT);
    CHECK(running.finish().err == "error: canceled\n");
  }
}

TEST_CASE("Ctrl-C stops every command that takes long, and leaves no file") {
  const std::string sweep = "bench bank --sweep --engine cpu:scalar --shape 128,128,128 --report b.html";
  const std::string lines[] = {
      "bench filter --engine cpu:scalar --variant dense --shape 128,128,64 --param filter=gaussian:sigma=8 --json b",
      sweep, sweep + " --engine opencl:0 --tune", "lattice generate --dims 16,16,16,16 --sweeps 100000 -o a.nersc"};
  for (const std::string& line : lines) {
    CAPTURE(line);
    const Scene scene{Scene::Empty()};
    Running running = scene.start(line);
    expectCanceled(running);
    CHECK(scene.files().empty());
  }
}

TEST_CASE("what is stopped once its files have their names is done") {
  const Scene scene(randomVolume({160, 160, 160, 1}, ElementType::f64, 1));
  Running running = scene.start(
      "filter in.nrrd -o {}.nrrd --filter box:size=3,name=a --filter box:size=3,name=b --engine cpu:scalar");
  running.waitUntilThere(scene.path("b.nrrd"));
  running.signal(SIGINT);
  const Outcome outcome = running.finish();
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(!contains(outcome.err, "canceled"));
  CHECK(scene.files() == std::vector<std::string>{"a.nrrd", "b.nrrd", "in.nrrd"});
}

TEST_CASE("a map that is stopped keeps the race and the cells that it has") {
  const Scene scene{Scene::Empty()};
  const Outcome outcome = stoppedAt(scene,
                                    "compare --engine cpu:scalar --shape 16,16,16 --filter median:size=5 --edges "
                                    "8,12,16,24,32,64,128,192 --vary size=3,5,7 --json c.json --report c.html",
                                    "mapped 1 cell", SIGINT);
  REQUIRE(scene.has("c.json"));
  const nlohmann::json document = scene.document("c.json");
  CHECK(document.at("lanes").size() == 1);
  std::size_t measured = 0;
  for (const auto& cell : document.at("break_even").at("cells")) measured += cell.at("measured") == true ? 1 : 0;
  CHECK(measured > 0);
  const std::string mark = "stopped after " + std::to_string(measured) + " of 24 cells of the map";
  CHECK(document.at("stopped") == mark);
  CHECK(contains(outcome.out, mark));
  CHECK(contains(scene.text("c.html"), mark));
}

TEST_CASE("a sweep that is stopped writes the rows that it has, and their number") {
  for (const int number : {SIGINT, SIGTERM}) {
    const Scene scene{Scene::Empty()};
    // The first orders take a moment; there are ten.
    const Outcome outcome = stoppedAt(scene,
                                      "bench magic --sweep=order --engine cpu:scalar --shape 96,96,96 --json b.json "
                                      "--csv b.csv --report b.html",
                                      "timed magic", number);
    REQUIRE(scene.has("b.json"));
    const nlohmann::json report = scene.document("b.json");
    const std::size_t rows = report.at("results").size();
    CHECK((rows > 0 && rows < 10));
    const std::string mark = "stopped after " + std::to_string(rows) + " of 10 rows of magic";
    CHECK(report.at("stopped") == mark);
    CHECK(contains(outcome.out, mark));
    CHECK(contains(scene.text("b.csv"), "# " + mark));
    CHECK(contains(scene.text("b.html"), mark));
  }
}
