// The Ladders room: a ladder runs, its figures fill in, cancel keeps what is there, results stay, exports read back.

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabWidget>
#include <atomic>
#include <nlohmann/json.hpp>

#include "core/base/paths.h"
#include "core/engine/tuning_store.h"
#include "core/workload/catalog.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/rooms/ladder/figure_chart.h"
#include "ui/rooms/ladder/ladder_room.h"
#include "ui/rooms/ladder/ladder_setup.h"
#include "ui/rooms/ladder/ladder_table.h"
#include "ui/subjects.h"
#include "ui/views/volume_views.h"
#include "ui/window/bars.h"
#include "ui/window/export_dialog.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// The Ladders room with a ladder on one engine, timed as briefly as can be.
struct LadderTest : TestWindow {
  explicit LadderTest(const char* workload, const std::vector<std::string>& rungs = {"naive"}) {
    window->roomOf<LadderRoom>().model().timing.seconds = 0;
    window->roomOf<LadderRoom>().model().timing.emptyCaches = false;
    window->roomOf<LadderRoom>().model().timing.measureCeilings = false;
    window->enterRoom("ladders");
    window->roomOf<LadderRoom>().ladderPage().choose(workload);
    window->roomOf<LadderRoom>().ladderPage().setup().setEngines({"cpu:scalar"});
    auto& list = find<QListWidget>("ladderRungs");
    for (int i = 0; i < list.count(); ++i) {
      const bool wanted = std::find(rungs.begin(), rungs.end(), fromQt(list.item(i)->text())) != rungs.end();
      list.item(i)->setCheckState(wanted ? Qt::Checked : Qt::Unchecked);
    }
  }
  bool runToEnd() {
    const QSignalSpy ended(&window->roomOf<LadderRoom>().model(), &LadderModel::ended);
    QTest::mouseClick(&find<QPushButton>("ladderRun"), Qt::LeftButton);
    return wait([&] { return !ended.isEmpty(); }) && wait([&] { return !charts().empty(); });
  }
  const std::vector<FigureChart*>& charts() { return window->roomOf<LadderRoom>().ladderPage().board().charts(); }
  std::size_t rows(const char* workload) { return window->roomOf<LadderRoom>().model().results(workload)->size(); }
};

// The first mark of a measured point.
const report::Target* measuredMark(const FigureChart& chart) {
  for (const report::Target& target : chart.drawing().targets)
    if (target.point && chart.figure().series[target.series].origin == SeriesOrigin::Measured) return &target;
  return nullptr;
}

QPoint middleOf(const FigureChart& chart, const report::Target& target) {
  return (chart.origin() + QPointF(target.area.center().x, target.area.center().y)).toPoint();
}

// The soup's tuned rung on the first OpenCL device, with a cache that remembers nothing yet and the stages of progress.
struct TuneTest : LadderTest {
  TuneTest() : LadderTest("soup", {"tuned"}), before(qgetenv("XDG_CACHE_HOME")) {
    qputenv("XDG_CACHE_HOME", cache.path().c_str());
    window->roomOf<LadderRoom>().ladderPage().setup().setEngines({"opencl:0"});
    window->roomOf<LadderRoom>().model().tuning.seconds = 0.5;  // the own choice and at least one more
    QObject::connect(&window->roomOf<LadderRoom>().model(), &LadderModel::progressed, window.get(),
                     [this] { stages << window->roomOf<LadderRoom>().model().progressText(); });
  }
  ~TuneTest() { qputenv("XDG_CACHE_HOME", before); }
  TuneTest(const TuneTest&) = delete;
  TuneTest& operator=(const TuneTest&) = delete;

  // Why there is no search here; empty if there is one.
  [[nodiscard]] std::string absence() const {
    for (const EngineInfo& info : workshop.engines.infos())
      if (info.id == "opencl:0" && info.available()) return info.searchRefused;
    return "no OpenCL device";
  }
  [[nodiscard]] bool showed(const char* text) const {
    return !stages.filter(QRegularExpression(QLatin1String(text))).isEmpty();
  }
  [[nodiscard]] std::optional<TunedTiles> remembered() const {
    const WorkloadKind& kind = *findWorkloadKind("soup");
    const auto values = completeOptions(kind.options, {});
    const auto& [x, y, z] = kind.smallShape;
    const auto workload = kind.make({kind.input(values), {x, y, z, 1}}, values);
    const Variant& variant = workshop.variants.at("soup", EngineKind::OpenCl, "tuned");
    return rememberedTiles(variant, workshop.engines.at("opencl:0").info(), *workload);
  }

  TemporaryFolder cache;
  QByteArray before;
  QStringList stages;
};

}  // namespace

TEST_CASE("a ladder runs and its bars appear beside the published ones") {
  LadderTest test("soup");
  CHECK(test.find<QLabel>("ladderEmpty").isVisible());
  CHECK(test.charts().empty());
  REQUIRE(test.runToEnd());
  REQUIRE(test.rows("soup") >= 1);
  CHECK(test.window->roomOf<LadderRoom>().model().results("soup")->front().hasFigures());
  FigureChart& chart = *test.charts().front();
  REQUIRE(chart.figure().kind == FigureKind::StackedBars);
  REQUIRE_SOON(measuredMark(chart) != nullptr);
  const bool published = std::any_of(chart.figure().series.begin(), chart.figure().series.end(),
                                     [](const FigureSeries& s) { return s.origin == SeriesOrigin::Published; });
  CHECK(published);
  CHECK_FALSE(test.find<QLabel>("ladderEmpty").isVisible());
  CHECK(test.window->statusLine().text().contains("done"_q));

  SECTION("hover shows the numbers, a click the explanation of the rung") {
    const report::Target mark = *measuredMark(chart);
    const QString tip = chart.tip(mark);
    CHECK(tip.contains("median"_q));
    CHECK(tip.contains("verified"_q));
    CHECK(tip.contains("repetitions"_q));
    QTest::mouseClick(&chart, Qt::LeftButton, {}, middleOf(chart, mark));
    CHECK(test.find<QTabWidget>("ladderTabs").currentIndex() == 1);
    CHECK(test.find<QLabel>("rungTitle").text() == "naive on cpu:scalar"_q);
    CHECK(test.find<QLabel>("rungText").text().contains("integer sum over the 25 taps"_q));
  }
  SECTION("the keyboard reaches the same") {
    chart.setFocus();
    for (std::size_t i = 0; i < chart.drawing().targets.size(); ++i) {
      QTest::keyClick(&chart, Qt::Key_Right);
      QTest::keyClick(&chart, Qt::Key_Return);
      if (test.find<QLabel>("rungTitle").text() == "naive on cpu:scalar"_q) break;
    }
    CHECK(test.find<QLabel>("rungTitle").text() == "naive on cpu:scalar"_q);
  }
}

TEST_CASE("the kernel of a device's rung can be read") {
  LadderTest test("soup");
  auto& list = test.find<QListWidget>("ladderRungs");
  const QList<QListWidgetItem*> rung = list.findItems("texture"_q, Qt::MatchExactly);
  REQUIRE(rung.size() == 1);
  list.setCurrentItem(rung.front());
  Q_EMIT list.itemActivated(rung.front());
  CHECK(test.find<QPlainTextEdit>("rungSource").isVisible());
  CHECK(test.find<QPlainTextEdit>("rungSource").toPlainText().contains("KERNEL"_q));
}

TEST_CASE("cancel keeps what was measured") {
  LadderTest test("bank");
  LadderModel& model = test.window->roomOf<LadderRoom>().model();
  const QSignalSpy ended(&model, &LadderModel::ended);
  test.click("ladderRun");
  CHECK(model.busy());
  CHECK(test.find<QPushButton>("ladderRun").text().contains("Cancel"_q));
  CHECK(test.find<QLabel>("ladderProgress").isVisible());
  CHECK(test.find<QProgressBar>("ladderProgressBar").isVisible());
  REQUIRE_SOON(test.rows("bank") >= 1 || !ended.isEmpty());
  REQUIRE(ended.isEmpty());  // N = 32 is still to come
  QTest::keyClick(test.window.get(), Qt::Key_Escape);
  CHECK_FALSE(model.busy());
  CHECK(test.find<QPushButton>("ladderRun").text().contains("Run"_q));
  REQUIRE(ended.size() == 1);
  CHECK(test.rows("bank") >= 1);
  CHECK(test.rows("bank") < 7);
  CHECK(test.window->statusLine().text().contains("canceled"_q));
  CHECK_SOON(!test.charts().empty());
}

TEST_CASE("results stay when the page is left, and every room keeps its keys and panels") {
  LadderTest test("soup");
  REQUIRE(test.runToEnd());
  const std::size_t rows = test.rows("soup");
  REQUIRE(test.runToEnd());
  CHECK(test.rows("soup") == rows);  // measured again, not doubled
  auto& dataPanel = test.find<QDockWidget>("panel-data");
  CHECK_FALSE(dataPanel.isVisible());
  const QString layout = toQt(test.model().view().layout);
  QTest::keyClick(test.window.get(), Qt::Key_1);
  CHECK(toQt(test.model().view().layout) == layout);
  QTest::keyClick(test.window.get(), Qt::Key_1, Qt::AltModifier);
  REQUIRE_SOON(test.window->room() == "filter");
  CHECK(dataPanel.isVisible());
  QTest::keyClick(test.window.get(), Qt::Key_1);
  CHECK(test.model().view().layout == "axial");
  const int ladders = static_cast<int>(roomNames().size()) - 1;  // before the Compare room
  QTest::keyClick(test.window.get(), static_cast<Qt::Key>(Qt::Key_0 + ladders), Qt::AltModifier);
  REQUIRE_SOON(test.window->room() == "ladders");
  CHECK(test.rows("soup") == rows);
  CHECK_FALSE(test.charts().empty());
  CHECK(test.find<LadderTable>("ladderTable").model()->rowCount() == static_cast<int>(rows));
  // Another ladder and back.
  test.window->roomOf<LadderRoom>().ladderPage().choose("bank");
  CHECK(test.charts().empty());
  test.window->roomOf<LadderRoom>().ladderPage().choose("soup");
  CHECK_FALSE(test.charts().empty());
}

TEST_CASE("the tuned rung is tuned before it first runs on a device") {
  TuneTest test;
  if (const std::string why = test.absence(); !why.empty()) SSCOPE_SKIP(why);
  auto& check = test.find<QCheckBox>("ladderTuneFirst");
  CHECK(check.isChecked());
  CHECK_FALSE(check.toolTip().isEmpty());
  REQUIRE(test.runToEnd());
  CHECK(test.showed("tuning tuned on opencl:0, candidate 2 of \\d+"));
  CHECK(test.remembered());
  CHECK(test.window->roomOf<LadderRoom>().model().searches().size() == 1);
  CHECK(test.window->statusLine().text().contains("tuned first: 1"_q));
  REQUIRE(test.rows("soup") == 1);
  // What was found is there now: nothing is searched again, and the row is measured anew, whatever its tiles.
  test.stages.clear();
  REQUIRE(test.runToEnd());
  CHECK_FALSE(test.showed("tuning"));
  CHECK(test.window->roomOf<LadderRoom>().model().searches().isEmpty());
  CHECK(test.rows("soup") == 1);
}

TEST_CASE("nothing is tuned where that is not wanted, and a canceled search is not remembered") {
  TuneTest test;
  if (const std::string why = test.absence(); !why.empty()) SSCOPE_SKIP(why);
  LadderModel& model = test.window->roomOf<LadderRoom>().model();
  model.tuning.seconds = 600;  // every candidate
  const QSignalSpy ended(&model, &LadderModel::ended);
  test.click("ladderRun");
  REQUIRE_SOON(test.showed("tuning tuned on opencl:0, candidate") || !ended.isEmpty());
  REQUIRE(ended.isEmpty());
  QTest::keyClick(test.window.get(), Qt::Key_Escape);
  CHECK_FALSE(model.busy());
  CHECK(test.rows("soup") == 0);
  CHECK(test.window->statusLine().text().contains("canceled"_q));
  // The next run begins when the canceled one has wound down.
  test.stages.clear();
  test.find<QCheckBox>("ladderTuneFirst").setChecked(false);
  REQUIRE(test.runToEnd());
  CHECK(test.rows("soup") == 1);
  CHECK_FALSE(test.showed("tuning"));
  CHECK_FALSE(test.remembered());
}

TEST_CASE("filtering waits while a ladder is timed") {
  LadderTest test("bank");
  test.window->enterRoom("filter");
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 16));
  test.window->enterRoom("ladders");
  LadderModel& model = test.window->roomOf<LadderRoom>().model();
  test.click("ladderRun");
  REQUIRE(model.busy());
  test.editOption("sigma", Length{2, false});
  REQUIRE_SOON(test.rows("bank") >= 1);
  CHECK_FALSE(test.window->live().busy());
  model.cancel();
  CHECK(test.waitIdle());
}

TEST_CASE("a ladder is timed once other rooms have come to rest") {
  LadderTest test("soup");
  LadderModel& model = test.window->roomOf<LadderRoom>().model();
  REQUIRE(model.othersAtWork);
  CHECK_FALSE(model.othersAtWork());
  std::atomic<bool> resting = false;
  std::atomic<int> asked = 0;
  model.othersAtWork = [&] { return ++asked, !resting; };
  test.click("ladderRun");
  REQUIRE_SOON(asked > 20 || test.rows("soup") > 0);
  CHECK(model.busy());
  CHECK(test.rows("soup") == 0);
  SECTION("and then it is") {
    resting = true;
    CHECK_SOON(test.rows("soup") > 0);
    CHECK_SOON(!model.busy());
  }
  SECTION("and it can be canceled before") {
    model.cancel();
    CHECK_FALSE(model.busy());
    CHECK_SOON(!model.working());
    CHECK(test.rows("soup") == 0);
  }
}

TEST_CASE("a ladder that cannot run says why") {
  LadderTest test("soup", {});
  test.click("ladderRun");
  CHECK_FALSE(test.window->roomOf<LadderRoom>().model().busy());
  CHECK(test.find<Notice>("ladderNotice").message().contains("no rung is checked"_q));
}

TEST_CASE("rows, report and figures of a ladder are exported and read back") {
  LadderTest test("soup");
  REQUIRE(test.runToEnd());
  CHECK_THAT(readTextFile(test.exportAs(0, "rows.csv")), ContainsSubstring("cpu:scalar"));
  const auto json = nlohmann::json::parse(readTextFile(test.exportAs(1, "rows.json")));
  CHECK(json["schema"] == "stencilscope.bench/1");
  CHECK(json["results"].size() == test.rows("soup"));
  CHECK_THAT(readTextFile(test.exportAs(2, "report.html")), ContainsSubstring("<svg"));
  CHECK(QImage(toQt(test.exportAs(3, "figure.png").string())).size() == test.charts().front()->size() * 2);
  const std::string csv = readTextFile(test.exportAs(4, "figure.csv"));
  CHECK_THAT(csv, ContainsSubstring(",measured,"));
  CHECK_THAT(csv, ContainsSubstring(",published,"));
}

TEST_CASE("the window stays small enough in both rooms") {
  LadderTest test("conv2d");
  for (const char* room : {"ladders", "filter"}) {
    test.window->enterRoom(room);
    QTest::qWait(0);
    INFO("room " << room);
    CHECK(test.window->minimumSizeHint().width() <= 1100);
    CHECK(test.window->minimumSizeHint().height() <= 700);
  }
}

TEST_CASE("the choices of the ladders are there at the next start") {
  LadderTest test("conv2d", {"naive"});
  LadderSetup& setup = test.window->roomOf<LadderRoom>().ladderPage().setup();
  setup.setSize(LadderSize::Paper);
  test.find<QComboBox>("ladderEveryPoint").setCurrentIndex(1);
  test.find<QCheckBox>("ladderTuneFirst").setChecked(false);
  const LadderChoice chosen = setup.choice();
  REQUIRE(chosen.engines == std::vector<std::string>{"cpu:scalar"});
  REQUIRE(chosen.rungs == std::set<std::string>{"naive"});
  // Another ladder has rungs of its own.
  test.window->roomOf<LadderRoom>().ladderPage().choose("soup");
  CHECK(setup.choice().rungs.size() > 1);
  test.window->roomOf<LadderRoom>().ladderPage().choose("conv2d");
  CHECK(setup.choice().rungs == chosen.rungs);
  test.window->close();

  Toolbox toolbox;
  toolbox.engines = &test.workshop.engines;
  toolbox.variants = &test.workshop.variants;
  LadderModel model(toolbox);
  const LadderChoice next = LadderSetup(toolbox, model).choice();
  CHECK(next.workload == "conv2d");
  CHECK(next.engines == chosen.engines);
  CHECK(next.rungs == chosen.rungs);
  CHECK(next.size == LadderSize::Paper);
  CHECK(next.everyPoint);
  CHECK_FALSE(next.tuneFirst);
  QSettings().clear();
  const LadderChoice fresh = LadderSetup(toolbox, model).choice();
  CHECK(fresh.workload == workloadCatalog().front().name);
  CHECK(fresh.size == LadderSize::Small);
  CHECK_FALSE(fresh.everyPoint);
  CHECK(fresh.tuneFirst);
}
