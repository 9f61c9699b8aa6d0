// What the Lattice room tells beside its pictures is of what is seen now: the value under a resting mouse, the status
// line after another tab or room, the chart of a heat bath that never ran.

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTabWidget>
#include <cmath>

#include "core/base/error.h"
#include "core/lattice/heat_bath.h"
#include "tests/support/catch.h"
#include "tests/ui/lattice/lattice_window.h"
#include "ui/base/look.h"
#include "ui/charts/curve_chart.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/lattice_room.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/lattice/solve_setup.h"
#include "ui/window/bars.h"
#include "ui/window/export_dialog.h"

using namespace sscope;
using namespace sscope::test;

namespace {

struct ToldTest : LatticeTest {
  explicit ToldTest(const lattice::Extents& extents) {
    const lattice::GaugeField field = lattice::hotStart(lattice::Lattice(extents), 2);
    workshop.configurations->write(folder / "small.nersc", field, {}, {});
    window->roomOf<LatticeRoom>().openConfiguration(toQt((folder / "small.nersc").string()));
    REQUIRE(waitShown());
  }
  LatticePage& page() { return window->roomOf<LatticeRoom>().latticePage(); }
  QString said() { return window->statusLine().text(); }
  bool choose(const char* observable) {
    lattices().choose(observable);
    return waitShown();
  }
};

}  // namespace

TEST_CASE("the value under a resting mouse is that of the picture that is seen") {
  ToldTest test({4, 4, 4, 6});
  const QLabel& under = test.find<QLabel>("latticeHover");
  Q_EMIT test.page().fields().views().hovered({true, {1, 2, 3}, {}, {}, {0}});
  const auto expected = [&] {
    const int t = test.page().fields().player().slice();
    return "%1 at (x, y, z, t) = (1, 2, 3, %2)"_q.arg(numberText(test.lattices().field()->volume->value(1, 2, 3, t), 5))
        .arg(t);
  };
  const QString first = under.text();
  CHECK(first == expected());
  REQUIRE(test.choose("plaquette"));
  CHECK(under.text() == expected());
  CHECK(under.text() != first);
  test.find<QSlider>("latticeTime").setValue(4);
  CHECK(under.text() == expected());
  CHECK(under.text().endsWith("(1, 2, 3, 4)"_q));
  REQUIRE(test.choose("polyakov"));
  CHECK(under.text().endsWith("(x, y, z) = (1, 2, 3)"_q));
  Q_EMIT test.page().fields().views().hovered({});
  CHECK(under.text().trimmed().isEmpty());
}

TEST_CASE("the status line follows tabs and rooms, and a field keeps the time that it took") {
  ToldTest test({4, 4, 4, 4});
  const QString field = test.said();
  CHECK(field.contains("small.nersc"_q));
  QTest::qWait(20);  // time that nothing was computed in
  test.page().tabs().setCurrentWidget(&test.page().solve());
  CHECK(test.said().startsWith("Ready to solve"_q));
  test.page().tabs().setCurrentIndex(0);
  CHECK(test.said() == field);
  test.window->enterRoom("ladders");
  CHECK_FALSE(test.said().contains("small.nersc"_q));
  test.window->enterRoom("filter");
  CHECK_FALSE(test.said().contains("small.nersc"_q));
  test.window->enterRoom("lattice");
  CHECK(test.said() == field);
}

TEST_CASE("a solve is told in every tab and room while it runs, and its end, too") {
  ToldTest test({8, 8, 8, 8});
  SolveSettings hopeless;
  hopeless.solver = "cr";
  hopeless.tolerance = 1e-15;
  hopeless.maxIterations = 100'000'000;
  hopeless.propagator = true;
  SolvePanel& solve = test.page().solve();
  solve.setup().restore(hopeless);
  const QSignalSpy advanced(&solve.controller(), &SolveController::advanced);
  test.page().tabs().setCurrentWidget(&solve);
  test.press("solveStart");
  REQUIRE_SOON(!advanced.isEmpty());
  test.page().tabs().setCurrentIndex(0);
  REQUIRE_SOON(test.said().contains("iteration"_q));
  CHECK_FALSE(solve.controller().lines().at(0).shared);
  const QString before = test.said();
  REQUIRE_SOON(test.said() != before);
  // What it solves for is told beside the chart, whatever the controls say by now.
  const auto& chart = test.find<CurveChart>("solveResidual");
  REQUIRE_SOON(!chart.plot().curves.empty());
  solve.setup().setKappa(0.05);
  CHECK(chart.plot().note.contains("κ 0.12"_q));
  CHECK(chart.plot().note.contains("point (0, 0, 0, 0)"_q));
  // A field beside it: the times are not the solver's own any more.
  REQUIRE(test.choose("plaquette"));
  CHECK(solve.controller().lines().at(0).shared);
  QTest::keyClick(test.window.get(), Qt::Key_Escape);
  CHECK_FALSE(solve.controller().busy());
  CHECK(test.said().startsWith("canceled"_q));
  CHECK_FALSE(test.window->statusLine().findChild<QWidget*>("runProgress"_q)->isVisible());
}

TEST_CASE("the chart of a heat bath that never ran says so and is not exported") {
  ToldTest test({2, 2, 2, 2});
  auto& sweeps = test.find<CurveChart>("latticeSweeps");
  REQUIRE_SOON(!sweeps.plot().note.isEmpty());
  CHECK(sweeps.plot().curves.empty());
  const std::vector<ExportOffer> offers = test.page().exportOffers(2);
  for (const std::size_t offer : {offers.size() - 2, offers.size() - 1}) {
    INFO(offers[offer].title.toStdString());
    CHECK(offers[offer].title.contains(sweeps.title()));
    CHECK_THROWS_AS(offers[offer].prepare(), Error);
  }
  CHECK_NOTHROW(offers[offers.size() - 3].prepare());
}

TEST_CASE("borders of the light and the dark palette stay between their window and their text") {
  for (const Appearance appearance : {Appearance::Light, Appearance::Dark}) {
    applyAppearance(*qApp, appearance);
    const QPalette palette = QApplication::palette();
    const auto contrast = [&](QPalette::ColorRole role) {
      return std::abs(palette.color(role).lightness() - palette.color(QPalette::Window).lightness());
    };
    for (const QPalette::ColorRole role : {QPalette::Light, QPalette::Midlight, QPalette::Mid})
      CHECK(contrast(role) < contrast(QPalette::WindowText) / 2);
  }
  applyAppearance(*qApp, Appearance::System);
}
