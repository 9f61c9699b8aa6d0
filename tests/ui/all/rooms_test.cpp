// What a room says is about that room: title, status line, progress, explanations.

#include <QComboBox>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>
#include <set>

#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/text.h"
#include "ui/rooms/ladder/ladder_room.h"
#include "ui/rooms/ladder/ladder_setup.h"
#include "ui/rooms/ladder/rung_details.h"
#include "ui/subjects.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("the rooms that can be asked for are those of the window") {
  TestWindow test;
  const std::vector<std::string> names = roomNames();
  CHECK(names == std::vector<std::string>{"filter", "wavelet", "lattice", "ladders", "compare"});
  for (const std::string& name : names) {
    test.window->enterRoom(toQt(name));
    CHECK(test.window->room() == toQt(name));
  }
}

TEST_CASE("up and down in the list of rungs leaf through the Rung page") {
  TestWindow test;
  test.window->enterRoom("ladders");
  test.window->roomOf<LadderRoom>().ladderPage().choose("bank");
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
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  const auto title = [&] { return test.window->windowTitle().toStdString(); };
  const auto said = [&] { return test.status(); };
  CHECK_THAT(title(), StartsWith("gyroid"));
  test.window->enterRoom("ladders");
  CHECK_THAT(title(), StartsWith("Ladders"));
  const std::string ladders = said();
  CHECK_THAT(ladders, ContainsSubstring("no ladder has been run yet"));
  // What filtering has to say meanwhile waits.
  const QSignalSpy nothing(&test.window->live(), &LiveController::nothingToRun);
  test.switchOff();
  REQUIRE_SOON(!nothing.isEmpty());
  CHECK(said() == ladders);
  test.window->enterRoom("lattice");
  CHECK(title() == "Stencilscope");
  test.window->enterRoom("filter");
  CHECK_THAT(title(), StartsWith("gyroid*"));  // the bank was changed
  CHECK_THAT(said(), ContainsSubstring("no filter is enabled"));
}

TEST_CASE("a ladder has one progress bar") {
  TestWindow test;
  test.window->roomOf<LadderRoom>().model().timing.seconds = 0;
  test.window->roomOf<LadderRoom>().model().timing.emptyCaches = false;
  test.window->roomOf<LadderRoom>().model().timing.measureCeilings = false;
  test.window->enterRoom("ladders");
  test.window->roomOf<LadderRoom>().ladderPage().choose("bank");
  test.window->roomOf<LadderRoom>().ladderPage().setup().setEngines({"cpu:scalar"});
  auto& own = test.find<QProgressBar>("ladderProgressBar");
  auto& status = test.find<QProgressBar>("runProgress");
  const QSignalSpy progressed(&test.window->roomOf<LadderRoom>().model(), &LadderModel::progressed);
  test.click("ladderRun");
  REQUIRE_SOON(progressed.size() > 1);
  CHECK(own.isVisible());
  CHECK_FALSE(status.isVisible());
  // Seen from another room the bar is in the status line.
  test.window->enterRoom("filter");
  REQUIRE(test.window->roomOf<LadderRoom>().model().busy());
  CHECK(status.isVisible());
  test.window->roomOf<LadderRoom>().model().cancel();
}

TEST_CASE("a session opens in the room that it was saved in") {
  const TemporaryFolder folder;
  for (const char* room : {"filter", "wavelet", "ladders"}) {
    INFO(room);
    const std::filesystem::path path = folder / (std::string(room) + ".json");
    LadderSettings chosen;
    {
      TestWindow test;
      test.setBank({"gaussian:sigma=1"});
      REQUIRE(test.openSample("gyroid", 12));
      test.window->enterRoom(room);
      LadderSetup& setup = test.window->roomOf<LadderRoom>().ladderPage().setup();
      setup.setWorkload("soup");
      setup.setSize(LadderSize::Timed);
      setup.setEngines({"cpu:scalar"});
      test.find<QListWidget>("ladderRungs").item(0)->setCheckState(Qt::Unchecked);
      chosen = setup.settings();
      test.save(toQt(path.string()));
      CHECK_FALSE(test.model().dirty());
    }
    TestWindow test;
    REQUIRE(test.openFile(path));
    CHECK(test.window->room() == room);
    CHECK(chosen.without.size() == 1);
    CHECK(test.window->roomOf<LadderRoom>().ladderPage().setup().settings() == chosen);
  }
}

TEST_CASE("exports of a room are told apart by their suffixes") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 12);
  for (const char* room : {"filter", "wavelet", "lattice", "ladders"}) {
    INFO(room);
    test.window->enterRoom(room);
    const std::vector<ExportOffer> offers = test.window->openRoom().exportOffers(1);
    REQUIRE_FALSE(offers.empty());
    std::set<QString> suffixes;
    for (const ExportOffer& offer : offers) suffixes.insert(offer.suffix);
    CHECK(suffixes.size() == offers.size());
    // The dialog opens where it is asked to.
    ExportDialog& dialog = test.window->showExport(offers.back().suffix);
    CHECK(dialog.findChild<QComboBox*>("exportWhat"_q)->currentText() == offers.back().title);
  }
}
