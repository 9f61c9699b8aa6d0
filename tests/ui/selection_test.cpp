// List, sliders and picture stay on the same filter.

#include <QComboBox>
#include <QListWidget>
#include <QToolButton>
#include <random>

#include "core/filter/families/recipe_text.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/controls/option_editor.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// The filter that is selected, the one whose picture is shown and the one that the sliders edit are one; where filters
// are enabled at all it is one of them, unless the user selected another.
void requireTogether(TestWindow& test) {
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);  // sliders of the filter before
  const auto& bank = test.model().bank();
  const auto enabled = bank.enabled();
  const int row = test.find<QListWidget>("filters").currentRow();
  if (bank.filters.empty()) {
    CHECK(row == -1);
    return;
  }
  REQUIRE(row >= 0);
  REQUIRE(row < static_cast<int>(bank.filters.size()));
  const FilterRecipe& selected = bank.filters[static_cast<std::size_t>(row)];
  INFO("selected " << selected.name << ", shown " << test.model().view().shownFilter);
  if (!enabled.empty()) {
    CHECK(selected.enabled);
    CHECK(enabled[test.model().shownFilterIndex()]->name == selected.name);
    CHECK(test.find<QComboBox>("shownFilter").currentText().toStdString() == selected.name);
  }
  if (selected.family == "gaussian")
    CHECK(test.find<OptionEditor>("sigma").value() == OptionValue(selected.parameters.at("sigma")));
  if (selected.family == "sobel") CHECK(test.window->findChild<OptionEditor*>("axis"_q) != nullptr);
}

void undo(TestWindow& test) { QTest::keyClick(test.window.get(), Qt::Key_Z, Qt::ControlModifier); }

}  // namespace

TEST_CASE("undo leaves list, sliders and picture on one filter") {
  TestWindow test({"gaussian:sigma=1.5", "sobel:axis=x"}, "gyroid", 12);
  auto& list = test.find<QListWidget>("filters");
  list.setCurrentRow(1);
  requireTogether(test);
  SECTION("rename") {
    list.item(1)->setText("edges"_q);
    requireTogether(test);
    undo(test);
    requireTogether(test);
    CHECK(list.currentRow() == 1);
  }
  SECTION("duplicate") {
    QTest::keyClick(test.window.get(), Qt::Key_D, Qt::ControlModifier);
    CHECK(list.currentRow() == 2);
    undo(test);
    requireTogether(test);
    CHECK(list.currentRow() == 1);
  }
  SECTION("remove") {
    QTest::keyClick(test.window.get(), Qt::Key_Delete, Qt::ControlModifier);
    requireTogether(test);
    undo(test);
    requireTogether(test);
  }
  SECTION("switch off and on") {
    list.item(1)->setCheckState(Qt::Unchecked);
    REQUIRE_SOON(!test.model().bank().filters[1].enabled);
    list.setCurrentRow(0);
    undo(test);
    requireTogether(test);
    QTest::keyClick(test.window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    requireTogether(test);
  }
}

TEST_CASE("a bank whose first filter is switched off shows and selects the one that is on") {
  TestWindow test;
  FilterBank bank;
  bank.filters = {parseFilterSpec("gaussian:sigma=2"), parseFilterSpec("sobel:axis=y")};
  bank.filters[0].enabled = false;
  Session session;
  session.bank = bank;
  session.data.sample = "gyroid";
  session.data.size = 12;
  session.view.shownFilter = GENERATE("", "gaussian", "sobel", "gone");
  writeSession((test.folder / "s.json").string(), session);
  test.showFile(test.folder / "s.json");
  requireTogether(test);
  CHECK(test.find<QListWidget>("filters").currentRow() == 1);
}

TEST_CASE("any number of steps back and forth keeps them together") {
  TestWindow test({"gaussian:sigma=1.5", "sobel:axis=x", "gaussian:sigma=3"}, "gyroid", 8);
  std::mt19937 random(5);
  auto& list = test.find<QListWidget>("filters");
  for (int step = 0; step < 20; ++step) {
    list.setCurrentRow(static_cast<int>(random() % static_cast<unsigned>(list.count())));
    switch (random() % 5) {
      case 0: QTest::keyClick(test.window.get(), Qt::Key_D, Qt::ControlModifier); break;
      case 1:
        if (list.count() > 2) QTest::keyClick(test.window.get(), Qt::Key_Delete, Qt::ControlModifier);
        break;
      case 2: QTest::keyClick(test.window.get(), Qt::Key_Up, Qt::ControlModifier); break;
      case 3: list.currentItem()->setText("name%1"_q.arg(step)); break;
      default: QTest::keyClick(test.window.get(), Qt::Key_Down, Qt::ControlModifier);
    }
    requireTogether(test);
  }
  int steps = 0;
  for (; test.model().undoStack().canUndo(); ++steps) {
    undo(test);
    requireTogether(test);
  }
  CHECK(steps > 8);
  while (test.model().undoStack().canRedo()) {
    test.model().undoStack().redo();
    requireTogether(test);
  }
}
