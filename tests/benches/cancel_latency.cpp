// How long after Esc the worker of each room is free again: what the window says at once, its thread does a little
// later. benches "[latency]"

#include <QPushButton>
#include <algorithm>
#include <iostream>
#include <random>
#include <vector>

#include "core/base/stopwatch.h"
#include "tests/support/catch.h"
#include "tests/ui/lattice/lattice_window.h"
#include "ui/rooms/compare/compare_room.h"
#include "ui/rooms/ladder/ladder_room.h"
#include "ui/rooms/ladder/ladder_setup.h"
#include "ui/rooms/lattice/lattice_room.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/lattice/solve_setup.h"
#include "ui/rooms/wavelet/wavelet_room.h"

using namespace sscope;
using namespace sscope::test;

namespace {

constexpr std::size_t kCancels = 200;

// 200 times, or `count`: starts, presses Esc after up to `longest` seconds, and waits until `working` no longer holds.
// What has ended before does not count. `start` returns once the work has begun: while the window draws, it may end,
// too.
void measureCancels(TestWindow& test, const char* room, double longest, const std::function<void()>& start,
                    const std::function<bool()>& working, std::size_t count = kCancels) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> anyTime(0, longest);
  std::vector<double> answered, ended;
  std::size_t late = 0;
  while (ended.size() < count && late < 5 * count) {
    start();
    const Stopwatch running;
    const double after = anyTime(random);
    while (running.seconds() < after && working()) QTest::qWait(0);
    if (!working()) {
      ++late;
      continue;
    }
    const Stopwatch sinceEsc;
    QTest::keyClick(test.window.get(), Qt::Key_Escape);
    answered.push_back(sinceEsc.seconds());
    while (working()) QCoreApplication::processEvents();
    ended.push_back(sinceEsc.seconds());
  }
  REQUIRE(ended.size() == count);
  const auto tell = [](const char* what, std::vector<double>& seconds) {
    std::sort(seconds.begin(), seconds.end());
    const auto at = [&](double share) {
      return 1e3 * seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
    };
    std::cout << what << " p50 " << at(0.5) << " ms, p99 " << at(0.99) << " ms, max " << at(1) << " ms";
  };
  std::cout << room << ": " << count << " cancels, " << late << " more came too late; ";
  tell("the window answers in", answered);
  tell("; the worker ends in", ended);
  std::cout << std::endl;
}

}  // namespace

TEST_CASE("latency of cancels in the Filter room", "[latency]") {
  TestWindow test;
  test.setBank({"gaussian:sigma=6", "log:sigma=3"});
  REQUIRE(test.openSample("gyroid", 192));
  LiveController& live = test.window->live();
  const QSignalSpy started(&live, &LiveController::started), failed(&live, &LiveController::failed);
  const auto start = [&] {
    const auto before = started.size();
    live.runAgain();
    REQUIRE(wait([&] { return started.size() > before; }));
  };
  measureCancels(test, "Filter", 1, start, [&] { return live.working(); });
  INFO((failed.isEmpty() ? std::string() : failed.front().front().toString().toStdString()));
  CHECK(failed.isEmpty());
}

TEST_CASE("latency of cancels in the Wavelet room", "[latency]") {
  TestWindow test;
  test.window->enterRoom("wavelet");
  const QSignalSpy loaded(&test.window->loader(), &DataLoader::loaded);
  test.window->loader().openSample("gyroid", 192);
  REQUIRE(wait(
      [&] { return !loaded.isEmpty() && test.window->roomOf<WaveletRoom>().controller().verification() != nullptr; }));
  int turn = 0;
  const auto start = [&] {
    WaveletSettings settings = test.model().settings<WaveletSettings>();
    settings.wavelet = ++turn % 2 == 0 ? "sym10" : "db8";
    test.model().edit(settings);
    // What the window calls busy, and so what Esc stops, ends before the verification.
    REQUIRE(wait([&] { return test.window->roomOf<WaveletRoom>().controller().busy(); }));
  };
  measureCancels(test, "Wavelet", 1, start, [&] { return test.window->roomOf<WaveletRoom>().controller().working(); });
}

TEST_CASE("latency of cancels in the Lattice room", "[latency]") {
  LatticeTest test;
  REQUIRE(test.generate({16, 16, 16, 16}, 1));
  const auto working = [&] { return test.lattices().working(); };
  int steps = 0;
  const auto start = [&] {
    steps = steps > 100'000 ? 50'000 : 200'000;
    test.lattices().setFlowSteps(steps);
    REQUIRE(wait(working));
  };
  measureCancels(test, "Lattice, flow", 0.5, start, working);
  const auto generate = [&] {
    GenerateSettings settings;
    settings.extents = {16, 16, 16, 16};
    settings.sweeps = 1'000'000;
    test.lattices().generate(settings);
    REQUIRE(wait(working));
  };
  measureCancels(test, "Lattice, generating", 0.5, generate, working);
}

TEST_CASE("latency of cancels of solvers", "[latency]") {
  const char* solver = GENERATE("cr", "bicgstab");
  LatticeTest test;
  REQUIRE(test.generate({16, 16, 16, 16}, 1));
  LatticePage& page = test.window->roomOf<LatticeRoom>().latticePage();
  page.tabs().setCurrentWidget(&page.solve());
  SolveSettings hopeless;
  hopeless.solver = solver;
  hopeless.tolerance = 1e-15;
  hopeless.maxIterations = 100'000'000;
  hopeless.propagator = true;
  page.solve().setup().restore(hopeless);
  const auto working = [&] { return page.solve().controller().working(); };
  const auto start = [&] {
    page.solve().solve();
    REQUIRE(wait(working));
  };
  measureCancels(test, (std::string("Solve, ") + solver).c_str(), 0.5, start, working);
}

TEST_CASE("latency of cancels in the Ladders room", "[latency]") {
  const char* ladder = GENERATE("bank", "soup", "dwt");
  TestWindow test;
  test.window->enterRoom("ladders");
  test.window->roomOf<LadderRoom>().model().timing.measureCeilings = false;
  LadderPage& page = test.window->roomOf<LadderRoom>().ladderPage();
  page.choose(ladder);
  page.setup().setSize(LadderSize::Timed);
  page.setup().setEngines({"cpu:scalar", test.window->live().engineId()});
  const auto working = [&] { return test.window->roomOf<LadderRoom>().model().working(); };
  const auto start = [&] {
    page.run();
    REQUIRE(wait(working));
  };
  measureCancels(test, (std::string("Ladders, ") + ladder).c_str(), 0.5, start, working);
}

TEST_CASE("latency of cancels in the Compare room", "[latency]") {
  TestWindow test;
  test.setBank({"gaussian:sigma=2"});
  REQUIRE(test.openSample("gyroid", 256));
  CompareSettings settings = test.model().settings<CompareSettings>();
  settings.contenders = {"cpu:scalar", "cpu:sse4", "cpu:avx2", "cpu:avx512", "opencl:0"};
  test.model().edit(settings);
  test.window->enterRoom("compare");
  RaceModel& race = test.window->roomOf<CompareRoom>().model();
  race.timing.measureCeilings = false;
  const auto start = [&] {
    test.window->roomOf<CompareRoom>().race();
    REQUIRE(wait([&] { return race.working(); }));
  };
  measureCancels(
      test, "Compare", 6, start, [&] { return race.working(); }, 40);
}
