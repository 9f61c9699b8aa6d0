// Undo in every room: the value comes back in the editor and in the model, in the room that shows it, and nothing else
// with it.

#include <QAction>
#include <QCheckBox>
#include <QListWidget>
#include <QTabWidget>
#include <QToolButton>

#include "core/ladder/ladder_settings.h"
#include "core/wavelet/job/wavelet_settings.h"
#include "tests/support/catch.h"
#include "tests/ui/lattice/lattice_window.h"
#include "ui/controls/value_slider.h"
#include "ui/rooms/ladder/ladder_room.h"
#include "ui/rooms/ladder/ladder_setup.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/lattice/solve_setup.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// Where the keys go.
void keyHere(TestWindow& test, Qt::Key key, Qt::KeyboardModifiers modifiers) {
  QWidget* focus = test.window->focusWidget();
  QTest::keyClick(focus ? focus : test.window.get(), key, modifiers);
}
void undoHere(TestWindow& test) { keyHere(test, Qt::Key_Z, Qt::ControlModifier); }
void redoHere(TestWindow& test) { keyHere(test, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); }

void openSolve(LatticeTest& test) {
  LatticePage& page = test.window->roomOf<LatticeRoom>().latticePage();
  page.tabs().setCurrentWidget(&page.solve());
}

void enter(TestWindow& test, const char* box, const char* text) {
  auto& line = test.find<NumberBox>(box);
  typeInto(line, QLatin1String(text));
}

QString nextUndo(TestWindow& test) { return test.model().undoStack().undoText(); }

}  // namespace

TEST_CASE("undo brings back field and flow time of the Lattice room, and leaves what is open") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 6}, 1));
  CHECK_FALSE(test.model().undoStack().canUndo());
  const auto settings = [&] { return test.model().settings<LatticeSettings>(); };
  REQUIRE(test.flowTo("0.05"));
  CHECK(nextUndo(test) == "Change the flow time"_q);
  CHECK(settings().flowTime == Approx(0.05));
  CHECK_FALSE(test.model().dirty());  // nobody is asked to save a session for it
  REQUIRE(test.choose("latticeObservable", "polyakov"_q));
  REQUIRE(test.choose("latticePart", "phase"_q));
  CHECK(settings().part == "phase");
  REQUIRE(test.choose("latticeObservable", "energy"_q));
  // Neither is a step, and no step takes it back.
  test.find<QSlider>("latticeTime").setValue(4);
  undoHere(test);
  REQUIRE(test.waitShown());
  CHECK(test.lattices().choice() == "polyakov");
  CHECK(test.find<QComboBox>("latticeObservable").currentData() == "polyakov"_q);
  undoHere(test);
  CHECK(test.fields().part() == LoopPart::Modulus);
  CHECK(test.find<QComboBox>("latticePart").currentData() == "modulus"_q);
  undoHere(test);
  REQUIRE(test.waitShown());
  CHECK(test.lattices().choice() == "charge");
  const auto open = test.lattices().configuration();
  undoHere(test);
  REQUIRE(test.waitShown());
  CHECK(test.lattices().flowSteps() == 0);
  CHECK(test.find<NumberBox>("latticeFlowTime").value() == 0);
  CHECK(settings().flowTime == 0);
  CHECK_FALSE(test.model().undoStack().canUndo());
  CHECK(test.lattices().configuration() == open);
  CHECK(settings().configuration.extents == std::array<int, 4>{4, 4, 4, 6});
  redoHere(test);
  REQUIRE(test.waitShown());
  CHECK(test.lattices().flowSteps() == 5);
  CHECK(test.find<NumberBox>("latticeFlowTime").value() == Approx(0.05));
}

TEST_CASE("undo of a field is seen where a solution is shown") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 2, 2}, 1));
  REQUIRE(test.choose("latticeObservable", "energy"_q));
  const auto values = std::make_shared<std::vector<double>>(64, 1.0);
  test.lattices().offer({{"solution", "|\u03c8|\u00b2 of the solution"_q, values}});
  REQUIRE(test.choose("latticeObservable", "solution"_q));
  CHECK(test.model().undoStack().count() == 1);  // solutions are in no session
  undoHere(test);
  REQUIRE(test.waitShown());
  CHECK(test.lattices().choice() == "charge");
  REQUIRE(test.choose("latticeObservable", "solution"_q));
  redoHere(test);
  REQUIRE(test.waitShown());
  CHECK(test.lattices().choice() == "energy");
  // The field of before, chosen again, is no change and is shown all the same.
  REQUIRE(test.choose("latticeObservable", "solution"_q));
  REQUIRE(test.choose("latticeObservable", "energy"_q));
  CHECK(test.model().undoStack().count() == 1);
}

TEST_CASE("a dragged flow time is one step") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 4}, 1));
  auto& slider = test.find<ValueSlider>("latticeFlowTimeSlider");
  QTest::mousePress(&slider, Qt::LeftButton, {}, QPoint(4, slider.height() / 2));
  for (int x = 6; x < 20; x += 2) {
    QTest::mouseMove(&slider, QPoint(x, slider.height() / 2));
  }
  QTest::mouseRelease(&slider, Qt::LeftButton, {}, QPoint(20, slider.height() / 2));
  REQUIRE(test.waitShown());
  CHECK(test.lattices().flowSteps() > 0);
  CHECK(test.model().undoStack().count() == 1);
  undoHere(test);
  REQUIRE(test.waitShown());
  CHECK(test.lattices().flowSteps() == 0);
}

TEST_CASE("undo brings back what is to be solved, and shows it") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 4}, 1));
  SolvePanel& solve = test.window->roomOf<LatticeRoom>().latticePage().solve();
  QTabWidget& tabs = test.window->roomOf<LatticeRoom>().latticePage().tabs();
  const SolveSettings first = solve.setup().settings();
  const auto model = [&] { return test.model().settings<LatticeSettings>().solve; };
  CHECK(model() == first);
  tabs.setCurrentWidget(&solve);
  enter(test, "solveKappa", "0.11");
  CHECK(model().kappa == 0.11);
  enter(test, "solveSourceT", "3");
  test.find<QComboBox>("solveSolver").setFocus();
  keyHere(test, Qt::Key_Down, {});
  CHECK(model().solver != "auto");
  test.find<QCheckBox>("solvePropagator").setFocus();
  keyHere(test, Qt::Key_Space, {});
  CHECK(model().propagator);
  const auto places = solve.setup().places().size();
  test.find<QToolButton>(fromQt("solveAdd-"_q + toQt(solve.setup().places()[0].engine)).c_str()).click();
  REQUIRE_SOON(solve.setup().places().size() == places + 1);
  CHECK(model().places.size() == places + 1);
  const SolveSettings last = model();
  CHECK(test.model().undoStack().count() == 5);
  // Seen where it is: the tab of the fields is open, and the keys are in a box of it.
  tabs.setCurrentIndex(0);
  test.find<NumberBox>("latticeFlowTime").setFocus();
  undoHere(test);
  CHECK(tabs.currentWidget() == &solve);
  CHECK(solve.setup().places().size() == places);
  for (int i = 0; i < 3; ++i) undoHere(test);
  CHECK_FALSE(test.find<QCheckBox>("solvePropagator").isChecked());
  CHECK(test.find<QComboBox>("solveSolver").currentIndex() == 0);
  CHECK(test.find<NumberBox>("solveSourceT").value() == 0);
  CHECK(nextUndo(test) == "Change the hopping parameter"_q);
  test.find<NumberBox>("solveKappa").setFocus();
  undoHere(test);
  CHECK(test.find<NumberBox>("solveKappa").value() == first.kappa);
  CHECK(test.find<ValueSlider>("solveKappaSlider").realValue() == Approx(first.kappa).epsilon(0.01));
  CHECK(solve.setup().settings() == first);
  CHECK(model() == first);
  CHECK_FALSE(test.model().undoStack().canUndo());
  while (test.model().undoStack().canRedo()) redoHere(test);
  CHECK(solve.setup().settings() == last);
  CHECK(model() == last);
}

TEST_CASE("a dragged hopping parameter is one step") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 4}, 1));
  openSolve(test);
  auto& slider = test.find<ValueSlider>("solveKappaSlider");
  const double before = test.find<NumberBox>("solveKappa").value();
  QTest::mousePress(&slider, Qt::LeftButton, {}, QPoint(4, slider.height() / 2));
  for (int x = 6; x < 30; x += 3) {
    QTest::mouseMove(&slider, QPoint(x, slider.height() / 2));
  }
  QTest::mouseRelease(&slider, Qt::LeftButton, {}, QPoint(30, slider.height() / 2));
  CHECK(test.find<NumberBox>("solveKappa").value() != before);
  CHECK(test.model().undoStack().count() == 1);
  undoHere(test);
  CHECK(test.find<NumberBox>("solveKappa").value() == before);
}

TEST_CASE("a step of the Lattice room takes back nothing that came to be otherwise") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 4}, 1));
  REQUIRE(test.flowTo("0.04"));
  openSolve(test);
  enter(test, "solveKappa", "0.1");
  // Another configuration begins at flow time 0; the source and the slice were set by nobody's hand.
  REQUIRE(test.generate({2, 2, 2, 4}, 1));
  test.find<QSlider>("latticeTime").setValue(2);
  undoHere(test);
  REQUIRE(test.waitShown());
  CHECK(test.find<NumberBox>("solveKappa").value() == 0.12);
  CHECK(test.lattices().flowSteps() == 0);
  CHECK(test.fields().slice() == 2);
  const auto settings = test.model().settings<LatticeSettings>();
  CHECK(settings.configuration.extents == std::array<int, 4>{2, 2, 2, 4});
  CHECK(settings.slice == 2);
}

TEST_CASE("undo brings back what the Ladders room is about to run") {
  TestWindow test;
  test.window->enterRoom("ladders");
  LadderSetup& setup = test.window->roomOf<LadderRoom>().ladderPage().setup();
  setup.setWorkload("bank");
  setup.setEngines({"cpu:scalar"});
  const LadderSettings first = setup.settings();
  CHECK_FALSE(test.model().undoStack().canUndo());
  const auto model = [&] { return test.model().settings<LadderSettings>(); };
  CHECK(model() == first);
  std::vector<LadderSettings> states{first};
  const auto changed = [&](const char* text) {
    INFO(text);
    CHECK(nextUndo(test) == QLatin1String(text));
    CHECK(test.model().undoStack().count() == static_cast<int>(states.size()));
    CHECK_FALSE(setup.settings() == states.back());
    CHECK(model() == setup.settings());
    states.push_back(setup.settings());
  };
  const auto press = [&](const char* control, Qt::Key key) {
    auto& widget = test.find<QWidget>(control);
    widget.setFocus();
    QTest::keyClick(&widget, key);
  };
  press("ladderSize", Qt::Key_Down);
  changed("Change the size");
  press("ladderEveryPoint", Qt::Key_Down);
  changed("Change the points");
  press("ladderTuneFirst", Qt::Key_Space);
  changed("Change the tuning");
  press("ladder-cpu:scalar", Qt::Key_Space);
  changed("Change the devices");
  test.find<QListWidget>("ladderRungs").setCurrentRow(0);
  press("ladderRungs", Qt::Key_Space);
  changed("Change the rungs");
  press("ladderWorkload", Qt::Key_Down);
  changed("Change the ladder");
  for (QToolButton* button : setup.findChildren<QToolButton*>())
    if (button->text() == "none"_q) button->click();
  changed("Change the rungs");  // one step for all of them
  for (std::size_t i = states.size() - 1; i > 0; --i) {
    undoHere(test);
    INFO(i);
    CHECK(setup.settings() == states[i - 1]);
    CHECK(model() == states[i - 1]);
  }
  CHECK_FALSE(test.model().undoStack().canUndo());
  for (std::size_t i = 1; i < states.size(); ++i) redoHere(test);
  CHECK(setup.settings() == states.back());
  CHECK(test.window->room() == "ladders"_q);
}

TEST_CASE("undo goes from room to room, and touches no other") {
  LatticeTest test;
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 12));
  const FilterBank bank = test.model().bank();
  test.window->enterRoom("lattice");
  REQUIRE(test.generate({4, 4, 4, 4}, 1));
  openSolve(test);
  enter(test, "solveKappa", "0.11");
  test.window->enterRoom("ladders");
  auto& size = test.find<QComboBox>("ladderSize");
  size.setFocus();
  QTest::keyClick(&size, Qt::Key_Down);
  test.window->enterRoom("wavelet");
  auto& rule = test.find<QComboBox>("waveletRule");
  rule.setFocus();
  QTest::keyClick(&rule, Qt::Key_Down);
  CHECK(test.model().settings<WaveletSettings>().rule == "hard");
  test.window->enterRoom("filter");
  QTest::keyClick(test.window.get(), Qt::Key_D, Qt::ControlModifier);
  CHECK(test.model().bank().filters.size() == 2);
  CHECK(test.model().dirty());
  test.window->enterRoom("ladders");
  struct Seen {
    double kappa;
    int size;
    std::string rule;
    std::size_t filters;
    bool operator==(const Seen&) const = default;
  };
  const auto seen = [&] {
    return Seen{test.find<NumberBox>("solveKappa").value(), size.currentIndex(), fromQt(rule.currentData().toString()),
                test.model().bank().filters.size()};
  };
  const std::pair<QString, Seen> steps[] = {{"filter"_q, {0.11, 1, "hard", 1}},
                                            {"wavelet"_q, {0.11, 1, "soft", 1}},
                                            {"ladders"_q, {0.11, 0, "soft", 1}},
                                            {"lattice"_q, {0.12, 0, "soft", 1}}};
  CHECK(seen() == Seen{0.11, 1, "hard", 2});
  for (const auto& [room, expected] : steps) {
    INFO(room.toStdString());
    undoHere(test);
    CHECK(seen() == expected);
    CHECK(test.window->room() == room);
  }
  CHECK_FALSE(test.model().undoStack().canUndo());
  CHECK_FALSE(test.model().dirty());
  CHECK(test.model().bank() == bank);
  for (int i = 0; i < 4; ++i) redoHere(test);
  CHECK(seen() == Seen{0.11, 1, "hard", 2});
  CHECK(test.window->room() == "filter"_q);
}

TEST_CASE("how the Wavelet room looks is kept with the session and is no step") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 12);
  test.window->enterRoom("wavelet");
  QTest::keyClick(test.window.get(), Qt::Key_Space);
  QTest::keyClick(test.window.get(), Qt::Key_3);
  test.press("waveletPyramid");
  CHECK(test.model().settings<WaveletView>() == WaveletView{"source", "sagittal", false});
  CHECK_FALSE(test.model().undoStack().canUndo());
  CHECK_FALSE(test.model().dirty());
  // The Filter room looks as it did.
  CHECK(test.model().view().show == "result");
  CHECK(test.model().view().layout == "all");
}
