// Keys and menus act on what is seen.

#include <QAction>
#include <QDockWidget>
#include <QListWidget>
#include <QMenu>

#include "core/wavelet/job/wavelet_settings.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"

using namespace sscope;
using namespace sscope::test;

namespace {

constexpr std::pair<Qt::Key, Qt::KeyboardModifiers> kBankKeys[] = {{Qt::Key_D, Qt::ControlModifier},
                                                                   {Qt::Key_Delete, Qt::ControlModifier},
                                                                   {Qt::Key_Up, Qt::ControlModifier},
                                                                   {Qt::Key_Down, Qt::ControlModifier}};

QAction* actionOf(TestWindow& test, const QKeySequence& key) {
  for (QAction* action : test.window->findChildren<QAction*>())
    if (action->shortcuts().contains(key)) return action;
  return nullptr;
}

}  // namespace

TEST_CASE("keys of the filter bank do nothing where the bank is not seen") {
  TestWindow test({"gaussian:sigma=1", "sobel:axis=x", "box:size=3"}, "gyroid", 12);
  test.find<QListWidget>("filters").setCurrentRow(1);
  const FilterBank before = test.model().bank();
  for (const char* room : {"wavelet", "lattice", "ladders"}) {
    INFO("room " << room);
    test.window->enterRoom(room);
    for (const auto& [key, modifiers] : kBankKeys) {
      QTest::keyClick(test.window.get(), key, modifiers);
      CHECK(test.model().bank() == before);
      CHECK_FALSE(actionOf(test, QKeySequence(key | modifiers))->isEnabled());
    }
    CHECK_FALSE(test.model().undoStack().canUndo());
  }
  // Closing data that are not seen, either.
  QTest::keyClick(test.window.get(), Qt::Key_W, Qt::ControlModifier);
  CHECK(test.model().hasData());
  test.window->enterRoom("filter");
  QTest::keyClick(test.window.get(), Qt::Key_Up, Qt::ControlModifier);
  CHECK(test.model().bank().filters[0].name == "sobel");
  QTest::keyClick(test.window.get(), Qt::Key_Down, Qt::ControlModifier);
  CHECK(test.model().bank() == before);
  QTest::keyClick(test.window.get(), Qt::Key_D, Qt::ControlModifier);
  CHECK(test.model().bank().filters.size() == 4);
  QTest::keyClick(test.window.get(), Qt::Key_Delete, Qt::ControlModifier);
  CHECK(test.model().bank() == before);
  QTest::keyClick(test.window.get(), Qt::Key_W, Qt::ControlModifier);
  CHECK_FALSE(test.model().hasData());
}

TEST_CASE("keys of the filter bank rest while its panel is closed") {
  TestWindow test({"gaussian:sigma=1"});
  auto& panel = test.find<QDockWidget>("panel-bank");
  panel.hide();
  QTest::keyClick(test.window.get(), Qt::Key_Delete, Qt::ControlModifier);
  CHECK(test.model().bank().filters.size() == 1);
  panel.show();
  QTest::keyClick(test.window.get(), Qt::Key_Delete, Qt::ControlModifier);
  CHECK(test.model().bank().filters.empty());
}

TEST_CASE("undo goes where the step is seen") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 12);
  QTest::keyClick(test.window.get(), Qt::Key_D, Qt::ControlModifier);
  REQUIRE(test.model().bank().filters.size() == 2);
  test.window->enterRoom("lattice");
  QTest::keyClick(test.window.get(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.model().bank().filters.size() == 1);
  CHECK(test.window->room() == "filter");
  test.window->enterRoom("ladders");
  QTest::keyClick(test.window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(test.model().bank().filters.size() == 2);
  CHECK(test.window->room() == "filter");
  WaveletSettings wavelet = test.model().settings<WaveletSettings>();
  wavelet.levels = 1;
  test.model().edit(wavelet);
  QTest::keyClick(test.window.get(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.window->room() == "wavelet");
}
