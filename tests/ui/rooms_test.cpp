// What a room says is about that room: title, status line, progress, explanations.

#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>
#include <catch2/catch.hpp>

#include "tests/ui/test_window.h"
#include "ui/base/text.h"
#include "ui/rooms/ladder/ladder_page.h"
#include "ui/rooms/ladder/ladder_setup.h"
#include "ui/rooms/ladder/rung_details.h"
#include "ui/window/status_line.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("up and down in the list of rungs leaf through the Rung page") {
  TestWindow test;
  test.window->enterRoom(MainWindow::kLadderRoom);
  test.window->ladderPage().choose("bank");
  auto& list = test.find<QListWidget>("ladderRungs");
  auto& tabs = test.find<QTabWidget>("ladderTabs");
  auto* details = test.window->findChild<RungDetails*>();
  REQUIRE(details != nullptr);
  REQUIRE(list.count() > 2);
  list.setFocus();
  list.setCurrentRow(0);
  QTest::keyClick(&list, Qt::Key_Down);
  CHECK(tabs.currentWidget() != details);  // it opens nothing
  QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(0)).center());
  REQUIRE(tabs.currentWidget() == details);
  CHECK(details->title().contains(list.item(0)->text()));
  list.setFocus();
  QTest::keyClick(&list, Qt::Key_Down);
  CHECK(list.currentRow() == 1);
  CHECK(details->title().contains(list.item(1)->text()));
  QTest::keyClick(&list, Qt::Key_Up);
  CHECK(details->title().contains(list.item(0)->text()));
}

TEST_CASE("title and status line are those of the open room") {
  TestWindow test;
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 16));
  const auto title = [&] { return test.window->windowTitle().toStdString(); };
  const auto said = [&] { return test.window->statusLine().text().toStdString(); };
  CHECK_THAT(title(), Catch::Matchers::StartsWith("gyroid"));
  test.window->enterRoom(MainWindow::kLadderRoom);
  CHECK_THAT(title(), Catch::Matchers::StartsWith("Ladders"));
  const std::string ladders = said();
  CHECK_THAT(ladders, Catch::Matchers::Contains("no ladder was run yet"));
  // What filtering has to say meanwhile waits.
  FilterBank bank = test.model().bank();
  bank.filters[0].enabled = false;
  const QSignalSpy nothing(&test.window->live(), &LiveController::nothingToRun);
  test.model().editBank(bank, QStringLiteral("off"));
  REQUIRE(wait([&] { return !nothing.isEmpty(); }));
  CHECK(said() == ladders);
  test.window->enterRoom(MainWindow::kLatticeRoom);
  CHECK(title() == "Stencilscope");
  test.window->enterRoom(MainWindow::kFilterRoom);
  CHECK_THAT(title(), Catch::Matchers::StartsWith("gyroid*"));  // the bank was changed
  CHECK_THAT(said(), Catch::Matchers::Contains("no filter is switched on"));
}

TEST_CASE("a ladder has one progress bar") {
  TestWindow test;
  test.window->ladders().timing.seconds = 0;
  test.window->ladders().timing.emptyCaches = false;
  test.window->ladders().timing.measureCeilings = false;
  test.window->enterRoom(MainWindow::kLadderRoom);
  test.window->ladderPage().choose("bank");
  test.window->ladderPage().setup().setEngines({"cpu:scalar"});
  auto& own = test.find<QProgressBar>("ladderProgressBar");
  auto& status = test.find<QProgressBar>("runProgress");
  const QSignalSpy progressed(&test.window->ladders(), &LadderModel::progressed);
  QTest::mouseClick(&test.find<QPushButton>("ladderRun"), Qt::LeftButton);
  REQUIRE(wait([&] { return progressed.size() > 1; }));
  CHECK(own.isVisible());
  CHECK_FALSE(status.isVisible());
  // Seen from another room the bar is in the status line.
  test.window->enterRoom(MainWindow::kFilterRoom);
  REQUIRE(test.window->ladders().busy());
  CHECK(status.isVisible());
  test.window->ladders().cancel();
}
