// The window is closed while each room works: it goes at once, and nothing of it is touched afterwards.

#include "tests/support/catch.h"
#include "tests/ui/lattice/lattice_window.h"
#include "ui/rooms/ladder/ladder_room.h"
#include "ui/rooms/ladder/ladder_setup.h"
#include "ui/rooms/lattice/lattice_room.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/lattice/solve_setup.h"
#include "ui/rooms/wavelet/wavelet_room.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// Closes and destroys it so long after the work began. A fast machine may be done by then, which is as right.
void closeAtWork(TestWindow& test, const std::function<bool()>& working, int milliseconds) {
  REQUIRE(wait(working));
  if (milliseconds > 0) QTest::qWait(milliseconds);
  CHECK(test.window->close());
  test.window.reset();
  // What the workers had posted comes to nobody.
  QTest::qWait(20);
  CHECK(test.window == nullptr);
}

}  // namespace

TEST_CASE("the window is closed while filters run, and while engines are timed") {
  const int after = GENERATE(0, 5, 40);
  TestWindow test({"gaussian:sigma=6", "log:sigma=4"});
  const bool timed = GENERATE(false, true);
  CAPTURE(after, timed);
  REQUIRE(test.openSample("gyroid", timed ? 96 : 8));
  if (timed) {
    test.window->live().setCompare({"cpu:scalar"});
  } else {
    const QSignalSpy loaded(&test.window->loader(), &DataLoader::loaded);
    test.window->loader().openSample("gyroid", 160);
    REQUIRE_SOON(!loaded.isEmpty());
  }
  LiveController& live = test.window->live();
  closeAtWork(
      test, [&] { return timed ? live.comparing() : live.busy(); }, after);
}

TEST_CASE("the window is closed while a transform runs, and while engines are timed by it") {
  const int after = GENERATE(0, 5, 20);
  const bool timed = GENERATE(false, true);
  CAPTURE(after, timed);
  TestWindow test;
  test.window->enterRoom("wavelet");
  WaveletController& wavelets = test.window->roomOf<WaveletRoom>().controller();
  test.window->loader().openSample("gyroid", timed ? 96 : 192);
  if (timed) {
    wavelets.setCompare({"cpu:scalar"});
    closeAtWork(
        test, [&] { return wavelets.comparing(); }, after);
  } else {
    closeAtWork(
        test, [&] { return wavelets.working(); }, after);
  }
}

TEST_CASE("the window is closed while a configuration is generated, smoothed and solved on") {
  const int after = GENERATE(0, 30);
  const int kind = GENERATE(0, 1, 2);
  CAPTURE(after, kind);
  LatticeTest test;
  if (kind == 0) {
    GenerateSettings settings;
    settings.extents = {8, 8, 8, 16};
    settings.sweeps = 1'000'000;
    test.lattices().generate(settings);
    closeAtWork(
        test, [&] { return test.lattices().busy(); }, after);
    return;
  }
  REQUIRE(test.generate({8, 8, 8, 8}, 1));
  if (kind == 1) {
    test.lattices().setFlowSteps(100'000);
    closeAtWork(
        test, [&] { return test.lattices().busy(); }, after);
    return;
  }
  LatticePage& page = test.window->roomOf<LatticeRoom>().latticePage();
  page.tabs().setCurrentWidget(&page.solve());
  SolveSettings hopeless;
  hopeless.tolerance = 1e-15;
  hopeless.maxIterations = 100'000'000;
  hopeless.propagator = true;
  page.solve().setup().restore(hopeless);
  page.solve().solve();
  closeAtWork(
      test, [&] { return page.solve().controller().busy(); }, after);
}

TEST_CASE("the window is closed while a ladder runs") {
  const int after = GENERATE(0, 100);
  CAPTURE(after);
  TestWindow test;
  test.window->enterRoom("ladders");
  test.window->roomOf<LadderRoom>().model().timing.measureCeilings = false;
  LadderPage& page = test.window->roomOf<LadderRoom>().ladderPage();
  page.choose("bank");
  page.setup().setEngines({"cpu:scalar"});
  page.run();
  closeAtWork(
      test, [&] { return test.window->roomOf<LadderRoom>().model().busy(); }, after);
}

TEST_CASE("the window is closed while a file is opened, and while another point in time is") {
  const bool frame = GENERATE(false, true);
  TestWindow test;
  WriteOptions how;
  how.metadata.frames = 3;
  test.workshop.io->write(test.folder / "run.nrrd", randomVolume({96, 96, 96, 3}, ElementType::f32, 1), how, {});
  test.setBank({"box"});
  if (frame) {
    REQUIRE(test.openFile(test.folder / "run.nrrd"));
    test.window->frames().show(2);
    closeAtWork(
        test, [&] { return test.window->frames().busy(); }, 0);
  } else {
    test.window->loader().open(toQt((test.folder / "run.nrrd").string()));
    closeAtWork(
        test, [&] { return test.window->loader().busy(); }, 0);
  }
}
