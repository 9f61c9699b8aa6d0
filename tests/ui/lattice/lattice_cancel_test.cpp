// Esc and the buttons that cancel are heard by everything that the Lattice room does: work that would take hours ends,
// and the room does the next thing.

#include <QPushButton>
#include <QToolButton>

#include "core/lattice/configuration.h"
#include "core/lattice/heat_bath.h"
#include "tests/support/catch.h"
#include "tests/ui/lattice/lattice_window.h"
#include "ui/rooms/lattice/lattice_room.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/lattice/solve_setup.h"

using namespace sscope;
using namespace sscope::test;

namespace {

struct CancelTest : LatticeTest {
  // Which does not wait for it.
  void generate(const lattice::Extents& extents, int sweeps) {
    GenerateSettings settings;
    settings.extents = extents;
    settings.sweeps = sweeps;
    lattices().generate(settings);
  }
  void press(const char* button) {
    if (!button) {
      QTest::keyClick(window.get(), Qt::Key_Escape);
      return;
    }
    auto& found = find<QAbstractButton>(button);
    CHECK(found.isVisible());
    QTest::mouseClick(&found, Qt::LeftButton);
  }
  // Something else is done: the worker is no longer at what was canceled.
  bool usable() {
    const auto before = lattices().configuration();
    generate({2, 2, 2, 4}, 1);
    return wait([&] { return lattices().configuration() != before; }) && waitShown();
  }
};

}  // namespace

TEST_CASE("reading a configuration is canceled") {
  const char* const button = GENERATE(as<const char*>(), nullptr, "latticeCancel");
  CancelTest test;
  const TemporaryFolder folder;
  const lattice::GaugeField field(lattice::Lattice({16, 16, 16, 16}));
  test.workshop.configurations->write(folder / "large.nersc", field, {}, {});
  const QSignalSpy opened(&test.lattices(), &LatticeController::opened);
  test.window->roomOf<LatticeRoom>().openConfiguration(toQt((folder / "large.nersc").string()));
  REQUIRE(test.lattices().busy());
  test.press(button);
  CHECK_FALSE(test.lattices().busy());
  CHECK(test.usable());
  CHECK(opened.isEmpty());
}

TEST_CASE("generating a configuration is canceled") {
  const char* const button = GENERATE(as<const char*>(), nullptr, "latticeCancel");
  CancelTest test;
  test.generate({16, 16, 16, 16}, 1'000'000);
  REQUIRE_SOON(!test.lattices().sweeps().empty());
  test.press(button);
  CHECK_FALSE(test.lattices().busy());
  CHECK(test.lattices().configuration() == nullptr);
  CHECK(test.usable());
}

TEST_CASE("a flow is canceled") {
  const char* const button = GENERATE(as<const char*>(), nullptr, "latticeFlowCancel");
  CancelTest test;
  test.generate({12, 12, 12, 12}, 1);
  REQUIRE(test.waitShown());
  test.lattices().setFlowSteps(100'000);
  REQUIRE_SOON(test.lattices().curve().size() > 1);
  if (button) REQUIRE_SOON(test.find<QToolButton>(button).isEnabled());
  test.press(button);
  CHECK_FALSE(test.lattices().busy());
  CHECK(test.lattices().flowSteps() < 100'000);
  CHECK(test.usable());
}

TEST_CASE("the field of an observable is canceled") {
  CancelTest test;
  test.generate({12, 12, 12, 12}, 1);
  REQUIRE(test.waitShown());
  const auto before = test.lattices().field();
  test.lattices().choose("energy");
  REQUIRE(test.lattices().busy());
  test.press(nullptr);
  CHECK_FALSE(test.lattices().busy());
  CHECK(test.lattices().field() == before);
  CHECK(test.usable());
}

TEST_CASE("solving is canceled in the room") {
  const char* const button = GENERATE(as<const char*>(), nullptr, "solveCancel");
  CancelTest test;
  test.generate({8, 8, 8, 16}, 2);
  REQUIRE(test.waitShown());
  LatticePage& page = test.window->roomOf<LatticeRoom>().latticePage();
  page.tabs().setCurrentWidget(&page.solve());
  SolveSettings hopeless;
  hopeless.solver = "cr";
  hopeless.tolerance = 1e-15;
  hopeless.maxIterations = 100'000'000;
  hopeless.propagator = true;
  page.solve().setup().restore(hopeless);
  const QSignalSpy advanced(&page.solve().controller(), &SolveController::advanced);
  test.press("solveStart");
  REQUIRE_SOON(!advanced.isEmpty());
  test.press(button);
  CHECK_FALSE(page.solve().controller().busy());
  SolveSettings easy;
  easy.tolerance = 1e-4;
  page.solve().setup().restore(easy);
  const QSignalSpy finished(&page.solve().controller(), &SolveController::finished);
  test.press("solveStart");
  REQUIRE_SOON(!finished.isEmpty());
  CHECK(page.solve().controller().lines().front().run->converged);
}
