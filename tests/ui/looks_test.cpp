// Break-even map and contract in the Compare room.

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTableWidget>
#include <algorithm>

#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/keyboard.h"
#include "ui/base/notice.h"
#include "ui/charts/grid_chart.h"
#include "ui/charts/strip_chart.h"
#include "ui/charts/timeline_chart.h"
#include "ui/rooms/compare/break_even_page.h"
#include "ui/rooms/compare/compare_page.h"
#include "ui/rooms/compare/compare_room.h"
#include "ui/rooms/compare/contract_page.h"
#include "ui/rooms/compare/lane_board.h"
#include "ui/rooms/compare/look_pages.h"

using namespace sscope;
using namespace sscope::test;

namespace {

struct LooksTest : TestWindow {
  LooksTest() {
    setBank({"gaussian:sigma=1"});
    REQUIRE(openSample("gyroid", 16));
    CompareSettings settings = model().settings<CompareSettings>();
    settings.contenders = {"cpu:scalar", "cpu:scalar separable"};
    model().edit(settings);
    window->enterRoom("compare");
    looks().breakEven().timing.emptyCaches = false;
    room().model().timing.seconds = 0;
    room().model().timing.emptyCaches = false;
    room().model().timing.measureCeilings = false;
  }
  CompareRoom& room() { return window->roomOf<CompareRoom>(); }
  LookPages& looks() { return room().comparePage().looks(); }
  QTabWidget& tabs() { return find<QTabWidget>("raceTabs"); }
  std::string said() { return find<Notice>("compareNotice").message().toStdString(); }
  void press(const char* button) { QTest::mouseClick(&find<QPushButton>(button), Qt::LeftButton); }
  bool look(const char* button) {
    const QSignalSpy ended(&room().looks(), &LookRunner::ended);
    press(button);
    return wait([&] { return !ended.isEmpty(); });
  }
};

std::size_t filled(const GridChart& chart, GridCell::Fill fill) {
  return static_cast<std::size_t>(std::ranges::count(chart.plot().cells, fill, &GridCell::fill));
}

}  // namespace

TEST_CASE("the model hatches the break-even map, measured cells fill it, and a cell goes to the race") {
  LooksTest test;
  BreakEvenPage& page = test.looks().breakEvenPage();
  test.tabs().setCurrentWidget(&page);
  GridChart& chart = page.chart();
  CHECK(test.find<QComboBox>("mapParameter").currentText() == "sigma"_q);
  CHECK_FALSE(test.find<QLineEdit>("mapValues").text().isEmpty());
  test.find<QLineEdit>("mapEdges").setText("8, 12"_q);
  test.find<QLineEdit>("mapValues").setText("0.5, 1"_q);
  std::vector<std::size_t> solid;
  QObject::connect(&test.looks().breakEven(), &BreakEvenModel::changed, test.window.get(),
                   [&] { solid.push_back(filled(chart, GridCell::Fill::Solid)); });
  REQUIRE(test.look("mapModel"));
  CHECK(chart.plot().cells.size() == 4);
  CHECK(filled(chart, GridCell::Fill::Solid) == 0);
  REQUIRE(test.look("mapMeasure"));
  CHECK(filled(chart, GridCell::Fill::Solid) == 4);
  CHECK(std::ranges::is_sorted(solid));
  CHECK(std::ranges::find(solid, std::size_t{1}) != solid.end());  // one after the other
  CHECK_THAT(chart.plot().note.toStdString(), ContainsSubstring("odel"));
  CHECK(std::ranges::count(chart.csv(), '\n') == 1 + 4 * 2);
  CHECK(test.window->updatesEnabled());
  // Enter on the last cell: edge 12, sigma 1.
  chart.setFocus();
  QTest::keyClick(&chart, Qt::Key_End);
  REQUIRE(chart.chosen() == std::size_t{3});
  CHECK_THAT(chart.accessibleDescription().toStdString(),
             ContainsSubstring("edge 12, sigma=1") && ContainsSubstring("wins, measured"));
  const QSignalSpy ended(&test.room().model(), &RaceModel::ended);
  QTest::keyClick(&chart, Qt::Key_Return);
  REQUIRE(test.room().model().busy());
  CHECK(test.tabs().currentIndex() == 0);
  REQUIRE_SOON(!ended.isEmpty());
  REQUIRE(test.room().model().comparison() != nullptr);
  const compare::CaseRecipe& raced = test.room().model().comparison()->recipe;
  CHECK(raced.data.from == compare::DataRecipe::From::Noise);
  CHECK(raced.data.spec.extent == std::array<std::int64_t, 4>{12, 12, 12, 1});
  CHECK_THAT(compare::titleOf(raced), ContainsSubstring("sigma=1"));
}

TEST_CASE("axes that mean nothing are refused in a sentence, and filling is canceled at once") {
  LooksTest test;
  test.tabs().setCurrentWidget(&test.looks().breakEvenPage());
  test.find<QLineEdit>("mapEdges").setText("8, x"_q);
  test.press("mapMeasure");
  CHECK_FALSE(test.room().looks().busy());
  CHECK_THAT(test.said(), ContainsSubstring("\"x\" is not a number"));
  test.find<QLineEdit>("mapEdges").setText("48, 64, 72"_q);
  const QSignalSpy ended(&test.room().looks(), &LookRunner::ended);
  test.press("mapMeasure");
  REQUIRE_SOON(filled(test.looks().breakEvenPage().chart(), GridCell::Fill::Solid) > 0);
  QTest::keyClick(test.window.get(), Qt::Key_Escape);
  CHECK_FALSE(test.room().looks().busy());
  CHECK(ended.size() == 1);
  CHECK(test.window->updatesEnabled());
  CHECK(test.said().empty());
  // What is there stays.
  CHECK(filled(test.looks().breakEvenPage().chart(), GridCell::Fill::Solid) > 0);
}

TEST_CASE("contenders that keep the contract are green, and a cell tells what it found") {
  LooksTest test;
  ContractPage& page = test.looks().contractPage();
  test.tabs().setCurrentWidget(&page);
  REQUIRE(test.look("contractStart"));
  const auto contract = test.looks().contract().contract();
  REQUIRE(contract != nullptr);
  const GridChart& chart = page.chart();
  REQUIRE(chart.plot().across.size() == 2);
  CHECK(chart.plot().down.contains("adjoint"_q));
  // All but the adjoint, which repeated edges have not.
  CHECK(filled(chart, GridCell::Fill::Solid) == chart.plot().cells.size() - 2);
  auto& details = test.find<QLabel>("contractDetails");
  CHECK_FALSE(details.isVisible());
  QTest::mouseClick(&page.chart(), Qt::LeftButton, {}, chart.cellArea(0).center().toPoint());
  CHECK(details.isVisible());
  CHECK_THAT(details.text().toStdString(), ContainsSubstring("impulse") && ContainsSubstring("kept"));
  CHECK_THAT(chart.csv(), ContainsSubstring("lane,probe,result"));
}

TEST_CASE("the last minute is seen while the room is shown, with the runs of the race") {
  LooksTest test;
  StripChart& chart = test.find<StripChart>("utilization");
  test.tabs().setCurrentWidget(chart.parentWidget()->parentWidget()->parentWidget());
  REQUIRE(chart.isVisible());
  const auto strip = [&](const char* name) -> const Strip* {
    const auto found = std::ranges::find(chart.plot().strips, QLatin1String(name), &Strip::name);
    return found == chart.plot().strips.end() ? nullptr : &*found;
  };
  const auto has = [&](const char* name) { return strip(name) != nullptr && strip(name)->unavailable.isEmpty(); };
  REQUIRE_SOON(has("memory") && strip("memory")->series.front().points.size() > 1);
  CHECK(has("cores, busy"));
  CHECK_FALSE(has("runs, moved"));
  REQUIRE(strip("runs, moved") != nullptr);
  CHECK_FALSE(strip("runs, moved")->unavailable.isEmpty());
  for (const Strip& each : chart.plot().strips) {
    INFO(each.name.toStdString());
    // A figure, or a reason.
    CHECK(each.unavailable.isEmpty() == !each.series.empty());
    for (const StripSeries& series : each.series)
      for (const QPointF& point : series.points) CHECK((point.x() <= 0 && point.x() >= -61));
  }
  const QSignalSpy ended(&test.room().model(), &RaceModel::ended);
  test.press("race");
  REQUIRE_SOON(!ended.isEmpty());
  REQUIRE_SOON(has("runs, moved") && has("runs, computed"));
  CHECK(strip("runs, moved")->series.size() == 2);
  CHECK(strip("runs, moved")->series.front().points.size() >= 7);
  CHECK_THAT(chart.csv(), ContainsSubstring("strip,unit,series,seconds,value"));
  CHECK_THAT(chart.reading(0).toStdString(), ContainsSubstring("memory"));
  // Elsewhere nothing is read.
  test.window->enterRoom("filter");
  REQUIRE(test.waitIdle());
  QTest::qWait(100);
  const auto before = test.room().load().moments().size();
  QTest::qWait(1200);
  CHECK(test.room().load().moments().size() == before);
}

TEST_CASE("lanes are explained once they are over") {
  LooksTest test;
  auto& lane = test.find<QComboBox>("explainLane");
  CHECK(lane.count() == 0);
  const QSignalSpy ended(&test.room().model(), &RaceModel::ended);
  test.press("race");
  REQUIRE_SOON(!ended.isEmpty());
  REQUIRE(lane.count() == 2);
  lane.setCurrentIndex(1);
  const auto& rows = test.find<QTableWidget>("explainRows");
  QStringList topics;
  for (int row = 0; row < rows.rowCount(); ++row) topics << rows.item(row, 0)->text();
  for (const char* topic : {"ran", "why", "plan", "predicted", "time of a run"}) {
    INFO(topic);
    CHECK(topics.contains(QLatin1String(topic)));
  }
  const auto& memory = test.find<QTableWidget>("explainMemory");
  REQUIRE(memory.rowCount() >= 3);
  CHECK(memory.item(0, 2)->toolTip() == "%1 bytes"_q.arg(test.model().data().volume->bytes()));
  CHECK_FALSE(test.find<TimelineChart>("explainTimeline").trace().spans.empty());
}

TEST_CASE("every tab of the Compare room is reached by keys, and its controls have names") {
  LooksTest test;
  auto& tabs = test.tabs();
  tabs.tabBar()->setFocus();
  for (int i = 0; i < tabs.count(); ++i) {
    INFO(tabs.tabText(i).toStdString());
    CHECK(tabs.currentIndex() == i);
    for (const QWidget* stop : focusStops(tabs.currentWidget())) {
      INFO(stop->objectName().toStdString() << " " << stop->metaObject()->className());
      const bool named = !stop->accessibleName().isEmpty() || qobject_cast<const QAbstractButton*>(stop) != nullptr;
      CHECK(named);
    }
    QTest::keyClick(tabs.tabBar(), Qt::Key_Right);
  }
}
