// The bank panel and its controls.

#include <QLabel>
#include <QListWidget>
#include <QPointer>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolButton>

#include "core/filter/families/family.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/controls/number_box.h"
#include "ui/controls/option_editor.h"
#include "ui/controls/value_slider.h"
#include "ui/rooms/filter/formula_editor.h"

using namespace sscope;
using namespace sscope::test;

namespace {

std::vector<std::string> names(const SessionModel& model) {
  std::vector<std::string> list;
  for (const FilterRecipe& recipe : model.bank().filters) list.push_back(recipe.name);
  return list;
}

void click(TestWindow& test, const char* button) { QTest::mouseClick(&test.find<QToolButton>(button), Qt::LeftButton); }

}  // namespace

TEST_CASE("filters are duplicated, moved, switched off, renamed and removed") {
  TestWindow test({"gaussian:sigma=1", "sobel"});
  auto& list = test.find<QListWidget>("filters");
  REQUIRE(list.count() == 2);
  list.setCurrentRow(0);
  click(test, "filter-duplicate");
  CHECK(names(test.model()) == std::vector<std::string>{"gaussian", "gaussian 2", "sobel"});
  CHECK(list.currentRow() == 1);
  click(test, "filter-down");
  CHECK(names(test.model()) == std::vector<std::string>{"gaussian", "sobel", "gaussian 2"});
  click(test, "filter-remove");
  CHECK(names(test.model()) == std::vector<std::string>{"gaussian", "sobel"});
  list.item(0)->setCheckState(Qt::Unchecked);
  REQUIRE_SOON(!test.model().bank().filters[0].enabled);
  list.item(1)->setText("edges"_q);
  CHECK(names(test.model()) == std::vector<std::string>{"gaussian", "edges"});
  while (test.model().undoStack().canUndo()) test.model().undoStack().undo();
  CHECK(names(test.model()) == std::vector<std::string>{"gaussian", "sobel"});
  CHECK(test.model().bank().filters[0].enabled);
}

TEST_CASE("every family can be added and edited") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 12);
  for (const FilterFamily& family : filterFamilies()) {
    INFO(family.name);
    FilterBank bank;
    FilterRecipe recipe;
    recipe.family = recipe.name = family.name;
    bank.filters = {recipe};
    if (family.name == "custom") {
      bank.filters[0].taps.size = {3, 1, 1};
      bank.filters[0].taps.anchor = {1, 0, 0};
      bank.filters[0].taps.weights = {1, 2, 1};
    }
    test.model().editBank(bank, "family"_q);
    if (family.name == "formula") CHECK(test.find<FormulaEditor>("formula").isVisible());
    for (const Option& option : family.options)
      if (family.name != "formula")
        CHECK(test.window->findChild<OptionEditor*>(QString::fromStdString(option.name)) != nullptr);
    REQUIRE(test.waitIdle());
  }
}

TEST_CASE("custom taps are edited in the grid") {
  TestWindow test;
  test.setTaps({{3, 3, 1}, {1, 1, 0}, std::vector<double>(9)});
  auto& grid = test.find<QTableWidget>("taps");
  grid.item(0, 2)->setText("0.5"_q);
  CHECK(test.model().bank().filters[0].taps.at(2, 0, 0) == 0.5);
  grid.item(1, 1)->setText("many"_q);
  CHECK(test.model().bank().filters[0].taps.at(1, 1, 0) == 0);
  CHECK(grid.item(1, 1)->text() == "0"_q);
}

TEST_CASE("custom taps have any size up to 31, typed whole, and lose nothing unasked") {
  const DenseTaps first{{3, 3, 1}, {1, 1, 0}, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
  TestWindow test;
  test.setTaps(first);
  const auto taps = [&]() -> const DenseTaps& { return test.model().bank().filters[0].taps; };
  const auto type = [&](const char* axis, const char* size) {
    auto& box = test.find<QSpinBox>(axis);
    typeInto(box, QLatin1String(size));
  };
  const int steps = test.model().undoStack().count();
  type("tapsSize-x", "15");
  CHECK(taps().size == std::array<std::int64_t, 3>{15, 3, 1});
  CHECK(test.model().undoStack().count() == steps + 1);  // never 1 on the way
  CHECK(taps().anchor == std::array<std::int64_t, 3>{7, 1, 0});
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) CHECK(taps().at(6 + x, y, 0) == first.at(x, y, 0));
  // Even sizes: the anchor is the one behind the middle.
  type("tapsSize-y", "4");
  CHECK(taps().anchor == std::array<std::int64_t, 3>{7, 2, 0});
  CHECK(taps().at(7, 2, 0) == 5);
  CHECK(taps().at(6, 1, 0) == 1);
  type("tapsSize-z", "31");
  CHECK(taps().size == std::array<std::int64_t, 3>{15, 4, 31});
  CHECK(taps().at(7, 2, 15) == 5);
  // 31 is the most: more is not taken.
  type("tapsSize-x", "32");
  CHECK(taps().size[0] <= 31);
  while (test.model().undoStack().count() > 0 && test.model().undoStack().index() > steps)
    test.model().undoStack().undo();
  CHECK(taps() == first);
  // Cropped and back.
  type("tapsSize-x", "1");
  CHECK(taps().weights == std::vector<double>{2, 5, 8});
  test.model().undoStack().undo();
  CHECK(taps() == first);
}

TEST_CASE("an anchor beside the middle stays on its tap when the grid grows") {
  const DenseTaps first{{3, 1, 1}, {0, 0, 0}, {1, 2, 3}};
  TestWindow test;
  test.setTaps(first);
  auto& box = test.find<QSpinBox>("tapsSize-x");
  for (int size = 4; size <= 31; ++size) {
    box.setValue(size);
    const DenseTaps& taps = test.model().bank().filters[0].taps;
    INFO(size);
    for (std::int64_t i = 0; i < 3; ++i) CHECK(taps.at(taps.anchor[0] + i, 0, 0) == static_cast<double>(i + 1));
  }
  box.setValue(2);
  CHECK(test.model().bank().filters[0].taps.size[0] == 2);
}

TEST_CASE("a number box corrects what is wrong and says why") {
  NumberBox box("Sigma"_q);
  box.setRange(0.2, 64);
  box.setValue(1.5);
  QSignalSpy edited(&box, &NumberBox::valueEdited);
  QSignalSpy corrected(&box, &NumberBox::corrected);
  const auto type = [&](const char* text) {
    box.selectAll();
    QTest::keyClicks(&box, QLatin1String(text));
    QTest::keyClick(&box, Qt::Key_Return);
  };
  type("100");
  CHECK(box.value() == 64);
  CHECK_THAT(corrected.back().front().toString().toStdString(), ContainsSubstring("between 0.2 and 64"));
  type("wide");
  CHECK(box.value() == 64);
  CHECK_THAT(corrected.back().front().toString().toStdString(), ContainsSubstring("not a number"));
  type("2.25");
  CHECK(box.value() == 2.25);
  CHECK(corrected.back().front().toString().isEmpty());
  CHECK(edited.size() == 2);
  QTest::keyClick(&box, Qt::Key_Up);
  CHECK(box.value() > 2.25);
}

TEST_CASE("a slider covers its range, linearly or by decades") {
  ValueSlider slider("Sigma"_q);
  slider.setScale(0.2, 8, true, false);
  double last = 0;
  QObject::connect(&slider, &ValueSlider::realValueEdited, [&](double value) { last = value; });
  slider.setValue(slider.maximum());
  CHECK(last == 8);
  slider.setValue(slider.minimum());
  CHECK(last == 0.2);
  slider.setValue((slider.maximum() + slider.minimum()) / 2);
  CHECK(last == Approx(std::sqrt(0.2 * 8)).epsilon(0.01));
  slider.setScale(0, 10, false, true);
  slider.setValue(7);
  CHECK(last == 7);
  CHECK(slider.stepped(7, 1) == 8);
}

TEST_CASE("a length keeps its meaning when the unit is switched, and a double-click resets it") {
  const FilterFamily& family = filterFamily("gaussian");
  OptionEditor editor(*findOption(family.options, "sigma"), LengthUnits{0.5});
  OptionValue last;
  QObject::connect(&editor, &OptionEditor::edited, [&](const OptionValue& value) { last = value; });
  editor.setValue(Length{3, false});
  auto* unit = editor.findChild<QToolButton*>("sigma.unit"_q);
  REQUIRE(unit != nullptr);
  unit->click();
  CHECK(std::get<Length>(last) == Length{1.5, true});
  unit->click();
  CHECK(std::get<Length>(last) == Length{3, false});
  QTest::mouseDClick(editor.findChild<QLabel*>(), Qt::LeftButton);
  CHECK(last == findOption(family.options, "sigma")->fallback);
}

TEST_CASE("lengths of images are in pixels, and data without a unit offer no millimeters") {
  TestWindow test({"gaussian:sigma=1"});
  const auto unit = [&]() -> QToolButton& { return test.find<QToolButton>("sigma.unit"); };
  SECTION("an image") {
    REQUIRE(test.openSample("zone-plate", 32));
    CHECK(unit().text() == "px"_q);
    CHECK_FALSE(unit().toolTip().contains("voxel"_q));
  }
  SECTION("a volume") {
    OpenData data;
    Geometry geometry;
    geometry.spacing = {0.5, 0.5, 0.5};
    const bool physical = GENERATE(true, false);
    geometry.unit = physical ? "mm" : "";
    data.volume = std::make_shared<const Volume>(Volume({12, 12, 12, 1}, ElementType::f32, geometry));
    data.identity = 77;
    const QPointer<QToolButton> before(&unit());
    test.model().setData(data);
    REQUIRE_SOON(before.isNull());  // the controls of the data before go
    CHECK(unit().isEnabled() == physical);
    if (physical) {
      unit().click();
      CHECK(std::get<Length>(test.model().bank().filters[0].parameters.at("sigma")) == Length{0.5, true});
      CHECK(unit().text() == "mm"_q);
    } else {
      CHECK_THAT(unit().toolTip().toStdString(), ContainsSubstring("no unit"));
      // Millimeters that came with a session can be left.
      FilterBank bank = test.model().bank();
      bank.filters[0].parameters["sigma"] = Length{2, true};
      test.model().editBank(bank, "millimeters"_q);
      CHECK(unit().isEnabled());
    }
  }
}

TEST_CASE("the menu's keys work while the list of filters has the keyboard") {
  TestWindow test({"gaussian:sigma=1", "sobel"});
  auto& list = test.find<QListWidget>("filters");
  list.setFocus();
  list.setCurrentRow(0);
  REQUIRE(list.hasFocus());
  // On some systems Ctrl+D is another key for Delete.
  QTest::keyClick(&list, Qt::Key_D, Qt::ControlModifier);
  CHECK(names(test.model()) == std::vector<std::string>{"gaussian", "gaussian 2", "sobel"});
  QTest::keyClick(&list, Qt::Key_Down, Qt::ControlModifier);
  CHECK(names(test.model()) == std::vector<std::string>{"gaussian", "sobel", "gaussian 2"});
  QTest::keyClick(&list, Qt::Key_Delete);
  CHECK(names(test.model()) == std::vector<std::string>{"gaussian", "sobel"});
}
