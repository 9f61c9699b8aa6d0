// The Solve panel: engines solve while it watches, charts and tables say what came of it, and it can be stopped.

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/io/lattice/configuration_io.h"
#include "core/lattice/correlator.h"
#include "core/lattice/heat_bath.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/timeline_chart.h"
#include "ui/controls/number_box.h"
#include "ui/controls/value_slider.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/lattice_room.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/lattice/solve_setup.h"
#include "ui/rooms/lattice/solve_words.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;

namespace {

std::shared_ptr<const lattice::Configuration> smooth(const lattice::Extents& extents) {
  lattice::Configuration made;
  made.field = lattice::GaugeField(lattice::Lattice(extents));
  for (std::uint64_t sweep = 0; sweep < 3; ++sweep) lattice::heatBathSweep(made.field, 6, 1, sweep, {});
  return std::make_shared<const lattice::Configuration>(std::move(made));
}

struct SolveTest {
  Workshop workshop = makeWorkshop();
  Toolbox toolbox;
  std::unique_ptr<SolvePanel> panel;

  SolveTest() {
    toolbox.engines = &workshop.engines;
    toolbox.variants = &workshop.variants;
    panel = std::make_unique<SolvePanel>(toolbox);
    panel->resize(1000, 700);
    panel->setEngines({"cpu:scalar", "cpu:avx2", "cuda:77"});
    panel->show();
    REQUIRE(QTest::qWaitForWindowExposed(panel.get()));
    panel->activateWindow();
  }
  template <class Widget>
  Widget& find(const char* name) {
    return childOf<Widget>(*panel, name);
  }
  void click(const char* button) { QTest::mouseClick(&find<QPushButton>(button), Qt::LeftButton); }
  void type(const char* box, const char* text) {
    auto& line = find<NumberBox>(box);
    typeInto(line, QLatin1String(text));
  }
  SolveController& controller() { return panel->controller(); }
  const SolveRun& run(std::size_t place) { return *controller().lines().at(place).run; }
  bool solve() {
    const QSignalSpy finished(&controller(), &SolveController::finished);
    click("solveStart");
    return wait([&] { return !finished.isEmpty(); });
  }
  std::string exported(int offer, const std::filesystem::path& path) {
    panel->exportOffers(2).at(static_cast<std::size_t>(offer)).prepare()(path, {});
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

// Distinct colors tell that something is drawn.
int colorsIn(const QImage& image) {
  std::set<QRgb> colors;
  for (int y = 0; y < image.height(); y += 2)
    for (int x = 0; x < image.width(); x += 2) colors.insert(image.pixel(x, y));
  return static_cast<int>(colors.size());
}

bool holdsColor(const QImage& image, const QColor& color) {
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixelColor(x, y) == color) return true;
  return false;
}

}  // namespace

TEST_CASE("the solve panel needs a configuration") {
  SolveTest test;
  CHECK_FALSE(test.find<QPushButton>("solveStart").isEnabled());
  CHECK_FALSE(test.find<QPushButton>("solveCancel").isEnabled());
  CHECK_FALSE(test.find<QPushButton>("solveFields").isEnabled());
  CHECK(test.find<QLabel>("solveStatus").text().contains("configuration"_q));
  CHECK_FALSE(test.find<CurveChart>("solveResidual").plot().note.isEmpty());
  test.panel->setConfiguration(smooth({4, 4, 4, 4}));
  CHECK(test.find<QPushButton>("solveStart").isEnabled());
  test.panel->setEngines({});
  CHECK_FALSE(test.find<QPushButton>("solveStart").isEnabled());
  test.panel->setConfiguration(nullptr);
  CHECK_FALSE(test.find<QPushButton>("solveStart").isEnabled());
}

TEST_CASE("two engines solve, their residuals are drawn, and they agree") {
  SolveTest test;
  test.panel->setConfiguration(smooth({4, 4, 4, 8}));
  CHECK(test.panel->setup().places().size() == 2);  // the absent one is left out
  test.type("solveKappa", "0.13");
  CHECK(test.find<ValueSlider>("solveKappaSlider").realValue() == Approx(0.13).epsilon(0.01));
  CHECK(test.find<QLabel>("solveMass").text().contains("-0.1538"_q));
  test.type("solveTolerance", "1e-9");
  const QSignalSpy advanced(&test.controller(), &SolveController::advanced);
  REQUIRE(test.solve());
  CHECK_FALSE(advanced.isEmpty());
  CHECK(test.controller().job().wilson.kappa == 0.13);
  const auto& curves = test.find<CurveChart>("solveResidual").plot().curves;
  REQUIRE(curves.size() == 3);  // and the tolerance
  for (std::size_t place = 0; place < 2; ++place) {
    CHECK(test.run(place).converged);
    CHECK(curves[place].x.size() == static_cast<std::size_t>(test.run(place).iterations) + 1);
    CHECK(curves[place].y.back() <= 1e-9);
    CHECK(holdsColor(test.find<CurveChart>("solveResidual").picture(2), curves[place].color));
  }
  CHECK(test.run(1).difference < 1e-7);
  auto& runs = test.find<NumberTable>("solveRuns");
  REQUIRE(runs.rowCount() == 2);
  CHECK(runs.cell(1, 0) == "cpu:avx2"_q);
  CHECK(runs.cell(1, 3) == "bicgstab, even-odd"_q);
  CHECK(runs.cell(1, 4).toInt() == test.run(1).iterations);
  CHECK(runs.cell(1, 9).toDouble() < 1e-7);
  CHECK(runs.cell(0, 9).isEmpty());
  CHECK(runs.cell(0, 2) == "solved"_q);
  CHECK(test.find<Notice>("solveNotice").message().isEmpty());
  CHECK(test.find<QLabel>("solveStatus").text().contains("2 of 2 engines"_q));
  CHECK_FALSE(runs.cell(0, 6).contains("shared"_q));
}

TEST_CASE("a solve that was timed while the window was computing says so, engine by engine") {
  SolveTest test;
  test.panel->setConfiguration(smooth({4, 4, 4, 4}));
  test.controller().setOthers([&] { return test.controller().place() == 1; });
  REQUIRE(test.solve());
  auto& runs = test.find<NumberTable>("solveRuns");
  CHECK_FALSE(runs.cell(0, 6).contains("shared"_q));
  CHECK(runs.cell(1, 6).contains("shared"_q));
  CHECK(test.find<QLabel>("solveStatus").text().contains("while the window was computing"_q));
  test.controller().setOthers({});
  REQUIRE(test.solve());
  CHECK_FALSE(runs.cell(1, 6).contains("shared"_q));
}

TEST_CASE("the kernels of a solve are shown as shares and as a timeline that zooms and moves") {
  SolveTest test;
  test.panel->setConfiguration(smooth({4, 4, 4, 8}));
  REQUIRE(test.solve());
  test.find<QTabWidget>("solveTabs").setCurrentIndex(1);
  const std::vector<Bar>& bars = test.find<BarChart>("solveShares").plot().bars;
  REQUIRE(bars.size() >= 2);
  double sum = 0;
  for (const Bar& bar : bars) sum += bar.value;
  CHECK(sum == Approx(100));
  auto& timeline = test.find<TimelineChart>("solveTimeline");
  REQUIRE_FALSE(timeline.trace().spans.empty());
  test.type("solveIteration", "3");
  CHECK(timeline.iteration() == 3);
  double begin = 1e300, end = 0;
  std::size_t first = 0;
  for (std::size_t k = 0; k < timeline.trace().spans.size(); ++k) {
    const KernelSpan& span = timeline.trace().spans[k];
    if (span.iteration != 3) continue;
    if (begin > 1e299) first = k;
    begin = std::min(begin, span.start);
    end = std::max(end, span.end);
  }
  CHECK(timeline.viewBegin() == begin);
  CHECK(timeline.viewEnd() == end);
  CHECK(timeline.spanAt(timeline.rectOf(first).center()) == static_cast<int>(first));
  CHECK(colorsIn(timeline.picture(2)) > 3);
  QTest::keyClick(&timeline, Qt::Key_Plus);
  CHECK(timeline.viewEnd() - timeline.viewBegin() < 0.9 * (end - begin));
  const double left = timeline.viewBegin();
  QTest::keyClick(&timeline, Qt::Key_Right);
  CHECK(timeline.viewBegin() > left);
  QTest::keyClick(&timeline, Qt::Key_Home);
  CHECK(timeline.viewBegin() == begin);
  for (int k = 0; k < 60; ++k) timeline.zoom(0.5);
  CHECK(timeline.viewBegin() == Approx(timeline.trace().spans.front().start));
  CHECK(timeline.viewEnd() == Approx(timeline.trace().spans.back().end));
  test.find<QCheckBox>("solveWholeTimeline").click();
  CHECK(timeline.iteration() < 0);
  CHECK_FALSE(test.find<NumberBox>("solveIteration").isEnabled());
  // The other engine's.
  auto& runs = test.find<QComboBox>("solveTraceEngine");
  REQUIRE(runs.count() == 2);
  const QString scalar = bars.front().text;
  runs.setCurrentIndex(1);
  CHECK(bars.front().text != scalar);
}

TEST_CASE("the preconditioner is a choice beside the solver, and the table says what ran") {
  SolveTest test;
  test.panel->setConfiguration(smooth({4, 4, 4, 4}));
  auto& solver = test.find<QComboBox>("solveSolver");
  auto& preconditioner = test.find<QComboBox>("solvePreconditioner");
  auto& runs = test.find<NumberTable>("solveRuns");
  CHECK(preconditioner.count() == 3);
  REQUIRE(test.solve());
  const int halved = test.run(0).iterations;
  preconditioner.setCurrentText("none"_q);
  REQUIRE(test.solve());
  CHECK(runs.cell(0, 3) == "bicgstab"_q);
  CHECK(test.run(0).iterations > halved);
  preconditioner.setCurrentText("even-odd"_q);
  CHECK(preconditioner.toolTip().contains("Even sites"_q));
  solver.setCurrentText("gcr"_q);
  REQUIRE(test.solve());
  CHECK(runs.cell(0, 3) == "gcr, even-odd"_q);
  // The paper's solver has none, whatever is chosen.
  solver.setCurrentText("cr"_q);
  CHECK_FALSE(preconditioner.isEnabled());
  SolveSettings kept = test.panel->setup().settings();
  CHECK(kept.preconditioner == "even-odd");
  REQUIRE(test.solve());
  CHECK(test.run(0).converged);
  CHECK(runs.cell(0, 3) == "cr"_q);
  solver.setCurrentText("auto"_q);
  CHECK(preconditioner.isEnabled());
  test.panel->setConfiguration(smooth({3, 4, 4, 4}));
  REQUIRE(test.solve());
  CHECK(runs.cell(0, 3) == "bicgstab"_q);
  CHECK(runs.item(0, 3)->toolTip().contains("3x4x4x4"_q));
  kept.preconditioner = "none";
  test.panel->setup().restore(kept);
  CHECK(preconditioner.currentText() == "none"_q);
}

TEST_CASE("what does not converge is told with the best that was found") {
  SolveTest test;
  test.panel->setConfiguration(smooth({4, 4, 4, 4}));
  test.type("solveMaxIterations", "4");
  REQUIRE(test.solve());
  const QString message = test.find<Notice>("solveNotice").message();
  CHECK(message.contains("cpu:scalar, cpu:avx2: it did not converge in 4 iterations"_q));
  CHECK(message.contains("true residual"_q));
  CHECK(test.find<NumberTable>("solveRuns").cell(0, 2) == "not solved"_q);
  CHECK(test.find<QLabel>("solveStatus").text() == "not solved"_q);
  CHECK(test.find<QPushButton>("solveFields").isEnabled());
  // Numbers out of range are corrected where they are typed.
  test.type("solveSourceT", "9");
  CHECK(test.find<NumberBox>("solveSourceT").value() == 3);
  CHECK_FALSE(test.find<Notice>("solveNotice").message().isEmpty());
}

TEST_CASE("a solve is canceled at once and the next one runs") {
  SolveTest test;
  test.panel->setConfiguration(smooth({8, 8, 8, 16}));
  test.find<QComboBox>("solveSolver").setCurrentText("cr"_q);
  test.type("solveTolerance", "1e-15");
  test.type("solveMaxIterations", "1000000");
  test.find<QCheckBox>("solvePropagator").click();
  const QSignalSpy advanced(&test.controller(), &SolveController::advanced);
  test.click("solveStart");
  CHECK_FALSE(test.find<QPushButton>("solveStart").isEnabled());
  REQUIRE_SOON(!advanced.isEmpty());
  auto& runs = test.find<NumberTable>("solveRuns");
  CHECK(runs.cell(0, 2) == "solving"_q);
  CHECK(runs.cell(1, 2) == "waiting"_q);
  QTest::keyClick(test.panel.get(), Qt::Key_Escape);
  CHECK_FALSE(test.controller().busy());
  CHECK(runs.cell(0, 2) == "canceled"_q);
  CHECK(runs.cell(1, 2) == "not started"_q);
  CHECK(test.find<QLabel>("solveStatus").text().startsWith("canceled"_q));
  CHECK(test.find<QPushButton>("solveStart").isEnabled());
  test.panel->setConfiguration(smooth({4, 4, 4, 4}));
  CHECK(test.controller().lines().empty());
  test.find<QCheckBox>("solvePropagator").click();
  test.type("solveTolerance", "1e-8");
  REQUIRE(test.solve());
  CHECK(test.run(0).converged);
}

TEST_CASE("an engine that is done keeps its result when its kernels are no longer timed") {
  SolveTest test;
  test.panel->setConfiguration(smooth({4, 4, 4, 8}));
  test.find<QComboBox>("solveSolver").setCurrentText("cr"_q);
  QObject::connect(&test.controller(), &SolveController::solved, test.panel.get(),
                   [&] { QTest::keyClick(test.panel.get(), Qt::Key_Escape); });
  const QSignalSpy canceled(&test.controller(), &SolveController::canceled);
  test.click("solveStart");
  REQUIRE_SOON(!canceled.isEmpty());
  CHECK_FALSE(test.controller().busy());
  CHECK(test.run(0).converged);
  CHECK(test.panel->densities());
  CHECK(test.find<NumberTable>("solveRuns").cell(0, 2) == "solved"_q);
  CHECK(test.find<NumberTable>("solveRuns").cell(1, 2) == "not started"_q);
  CHECK(test.find<QLabel>("solveStatus").text().startsWith("canceled · solved on 1 of 2 engines"_q));
  CHECK(test.find<QPushButton>("solveStart").isEnabled());
}

TEST_CASE("a propagator's correlator is drawn, listed, compared with free quarks and exported") {
  SolveTest test;
  lattice::Configuration unit;
  unit.field = lattice::GaugeField(lattice::Lattice({4, 4, 4, 8}));
  test.panel->setConfiguration(std::make_shared<const lattice::Configuration>(unit));
  test.type("solveKappa", "0.11");
  test.type("solveTolerance", "1e-13");
  test.find<QCheckBox>("solvePropagator").click();
  test.find<QTabWidget>("solveTabs").setCurrentIndex(2);
  REQUIRE(test.solve());
  auto& table = test.find<NumberTable>("solveCorrelatorTable");
  REQUIRE(table.rowCount() == 8);
  CHECK(table.cell(0, 1).toDouble() == Approx(14.375349357663).epsilon(1e-11));
  CHECK(table.cell(4, 1).toDouble() == Approx(.047555928050247).epsilon(1e-11));
  const std::vector<double> masses = lattice::effectiveMass(test.run(0).correlator);
  CHECK(table.cell(2, 2).toDouble() == Approx(masses[2]).epsilon(1e-5));
  CHECK(table.cell(7, 2).isEmpty());
  const CurvePlot& plot = test.find<CurveChart>("solveCorrelator").plot();
  REQUIRE(plot.curves.size() == 2);
  CHECK(plot.curves[0].y.size() == 9);
  CHECK(plot.curves[1].y[1] == plot.curves[0].y[7]);
  test.find<QCheckBox>("solveFree").click();
  REQUIRE_SOON(test.find<CurveChart>("solveCorrelator").plot().curves.size() == 3);
  // On unit links both are the same.
  CHECK(table.cell(3, 4).toDouble() == Approx(table.cell(3, 1).toDouble()).epsilon(1e-10));

  const TemporaryFolder folder;
  const std::string residuals = test.exported(0, folder / "residuals.csv");
  CHECK(residuals.starts_with("engine,variant,system,iteration,residual\ncpu:scalar,"));
  CHECK(std::count(residuals.begin(), residuals.end(), '\n') ==
        1 + test.run(0).iterations + test.run(1).iterations + 24);
  const std::string correlator = test.exported(1, folder / "correlator.csv");
  CHECK(correlator.starts_with("t,C,m_eff,m_log,C_free,m_eff_free\n0,14.375349357"));
  CHECK(std::count(correlator.begin(), correlator.end(), '\n') == 9);
  const nlohmann::json trace = nlohmann::json::parse(test.exported(2, folder / "trace.json"));
  CHECK(trace.at("traceEvents").size() > test.run(0).trace.spans.size());
  const int offers = static_cast<int>(test.panel->exportOffers(2).size());
  REQUIRE(offers == 9);
  for (int offer = 3; offer < 8; ++offer) {
    const std::string path = (folder / "chart.png").string();
    static_cast<void>(test.exported(offer, path));
    CHECK(colorsIn(QImage(toQt(path))) > 3);
  }
}

TEST_CASE("the squares of a solve can be asked for as fields") {
  SolveTest test;
  test.panel->setConfiguration(smooth({4, 4, 4, 4}));
  test.type("solveSourceX", "2");
  const QSignalSpy requested(test.panel.get(), &SolvePanel::fieldRequested);
  REQUIRE(test.solve());
  const auto densities = test.panel->densities();
  REQUIRE(densities);
  CHECK(densities->source[2] == 1);
  CHECK(densities->solution.size() == 256);
  const QList<QAction*> fields = test.find<QPushButton>("solveFields").menu()->actions();
  REQUIRE(fields.size() == 3);
  fields[1]->trigger();
  REQUIRE(requested.size() == 1);
  CHECK(requested.front().front().value<SolveField>() == SolveField::Solution);
  test.panel->setConfiguration(nullptr);
  CHECK_FALSE(test.panel->densities());
  CHECK_FALSE(test.find<QPushButton>("solveFields").isEnabled());
}

TEST_CASE("every control of the solve panel has a name and can be reached by the keyboard") {
  SolveTest test;
  test.panel->setConfiguration(smooth({4, 4, 4, 4}));
  for (QWidget* widget : test.panel->findChildren<QWidget*>()) {
    const bool control = qobject_cast<NumberBox*>(widget) || qobject_cast<QComboBox*>(widget) ||
                         qobject_cast<ValueSlider*>(widget) || qobject_cast<Plot*>(widget) ||
                         qobject_cast<NumberTable*>(widget);
    if (!control) continue;
    INFO(fromQt(widget->objectName()));
    CHECK_FALSE(widget->accessibleName().isEmpty());
    CHECK((widget->focusPolicy() & Qt::TabFocus) != 0);
  }
}

TEST_CASE("the Solve tab solves on what is open, on the chosen engines, and its fields are shown beside the others") {
  const TemporaryFolder folder;
  makeConfigurationIo()->write(folder / "small.nersc", smooth({4, 4, 4, 6})->field, {}, {});
  TestWindow test;
  test.window->roomOf<LatticeRoom>().openConfiguration(toQt((folder / "small.nersc").string()));
  REQUIRE_SOON(test.window->roomOf<LatticeRoom>().controller().field() != nullptr);
  LatticePage& page = test.window->roomOf<LatticeRoom>().latticePage();
  CHECK_FALSE(page.solving());
  page.tabs().setCurrentWidget(&page.solve());
  REQUIRE(page.solving());
  REQUIRE(page.solve().setup().places().size() == 1);
  CHECK(page.solve().setup().places()[0].engine == test.workshop.engines.preferred().info().id);
  EngineChoice choice = test.model().engineChoice();
  choice.engine = "cpu:scalar";
  test.model().editEngineChoice(choice, "choose"_q);
  CHECK(page.solve().setup().places()[0].engine == "cpu:scalar");
  const QSignalSpy finished(&page.solve().controller(), &SolveController::finished);
  test.press("solveStart");
  REQUIRE_SOON(!finished.isEmpty());
  CHECK(test.window->statusLine().text().contains("true residual"_q));
  CHECK(page.exportOffers(2).size() == page.solve().exportOffers(2).size());
  // |psi|^2 of the source: a one at the origin.
  REQUIRE(test.window->roomOf<LatticeRoom>().controller().offered().size() == 3);
  page.fields().player().setSlice(3);
  REQUIRE(page.fields().views().crosshair() != VoxelIndex{0, 0, 0});
  Q_EMIT page.solve().fieldRequested(SolveField::Source);
  CHECK_FALSE(page.solving());
  REQUIRE_SOON(test.window->roomOf<LatticeRoom>().controller().field()->key == "solve-source");
  CHECK(page.fields().views().crosshair() == VoxelIndex{0, 0, 0});
  CHECK(page.fields().slice() == 0);
  const Volume& shown = *test.window->roomOf<LatticeRoom>().controller().field()->volume;
  CHECK(shown.shape() == VolumeShape{4, 4, 4, 6});
  CHECK(shown.value(0, 0, 0, 0) == 1);
  CHECK(shown.value(1, 0, 0, 0) == 0);
  // Another configuration has no solution yet.
  makeConfigurationIo()->write(folder / "other.nersc", smooth({2, 2, 2, 2})->field, {}, {});
  test.window->roomOf<LatticeRoom>().openConfiguration(toQt((folder / "other.nersc").string()));
  REQUIRE_SOON(test.window->roomOf<LatticeRoom>().controller().offered().empty());
  CHECK(page.solve().controller().lines().empty());
}

TEST_CASE("the real configuration's pion correlator stands in the table") {
  const auto data = sharedData();
  if (!data) SSCOPE_SKIP("shared/data is missing");
  SolveTest test;
  test.panel->setConfiguration(std::make_shared<const lattice::Configuration>(
      makeConfigurationIo()->read(*data / "lattice" / "atb_nersc.l8t4b3360", {}, {})));
  test.type("solveKappa", "0.12");
  test.type("solveTolerance", "1e-12");
  test.find<QCheckBox>("solvePropagator").click();
  REQUIRE(test.solve());
  auto& table = test.find<NumberTable>("solveCorrelatorTable");
  REQUIRE(table.rowCount() == 4);
  const double known[] = {14.43822671944, .6258195341392, .1046451731866, .6149939826297};
  for (int t = 0; t < 4; ++t) CHECK(table.cell(t, 1).toDouble() == Approx(known[t]).epsilon(1e-10));
}
