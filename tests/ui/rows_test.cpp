// Rows of the bank that read each other, and formulas.

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>

#include "core/base/paths.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/kernel_view.h"
#include "ui/controls/value_slider.h"
#include "ui/rooms/filter/arrow_gutter.h"
#include "ui/rooms/filter/formula_editor.h"
#include "ui/rooms/filter/input_rows.h"

using namespace sscope;
using namespace sscope::test;

namespace {

const FilterRecipe& row(TestWindow& test, std::size_t i) { return test.model().bank().filters.at(i); }

std::vector<std::string> names(TestWindow& test) {
  std::vector<std::string> list;
  for (const FilterRecipe& recipe : test.model().bank().filters) list.push_back(recipe.name);
  return list;
}

void select(TestWindow& test, int at) { test.find<QListWidget>("filters").setCurrentRow(at); }

void choose(TestWindow& test, const char* list, const char* name) {
  auto& box = test.find<QComboBox>(list);
  const int index = box.findData(QLatin1String(name));
  REQUIRE(index >= 0);
  box.setCurrentIndex(index);
  Q_EMIT box.activated(index);
}

void typeFormula(TestWindow& test, const char* text, bool enter = true) {
  auto& box = test.find<QPlainTextEdit>("formula.text");
  box.setFocus();
  box.selectAll();
  QTest::keyClicks(&box, QLatin1String(text));
  if (enter) QTest::keyClick(&box, Qt::Key_Return);
}

std::string noticeOf(TestWindow& test) {
  for (const Notice* notice : test.window->findChildren<Notice*>())
    if (notice->accessibleName() == "Message about the filter bank"_q) return fromQt(notice->message());
  FAIL("the bank has no notice");
  return {};
}

std::vector<float> valuesOf(TestWindow& test, const char* name) {
  const auto result = test.window->live().result();
  REQUIRE(result != nullptr);
  const auto place = std::ranges::find(result->names, name);
  REQUIRE(place != result->names.end());
  const auto volume = result->outputs[static_cast<std::size_t>(place - result->names.begin())]->host({});
  const auto values = volume->elements<float>();
  return {values.begin(), values.end()};
}

void setGradient(TestWindow& test) {
  test.setBank({"gaussian:sigma=1,name=smooth,intermediate=true", "sobel:axis=x,input=smooth,name=gx,intermediate=true",
                "sobel:axis=y,input=smooth,name=gy,intermediate=true", "formula:e=sqrt(gx^2+gy^2),name=edge"});
}

}  // namespace

TEST_CASE("what a row reads is chosen in a list, and undone") {
  TestWindow test({"gaussian:sigma=1,name=smooth", "sobel:axis=x,name=gx"}, "zone-plate", 24);
  select(test, 1);
  CHECK(test.find<QComboBox>("input-0").count() == 2);
  const std::vector<float> before = valuesOf(test, "gx");
  choose(test, "input-0", "smooth");
  CHECK(row(test, 1).inputs == std::vector<std::string>{"smooth"});
  REQUIRE(test.waitIdle());
  const std::vector<float> after = valuesOf(test, "gx");
  CHECK(after != before);
  CHECK(test.find<ArrowGutter>("arrows").arrows() == std::vector<BankArrow>{{-1, 0}, {0, 1}});
  CHECK(test.find<ArrowGutter>("arrows").isVisible());
  choose(test, "input-0", "source");
  CHECK(row(test, 1).inputs.empty());
  CHECK_FALSE(test.find<ArrowGutter>("arrows").isVisible());
  test.model().undoStack().undo();
  CHECK(test.find<QComboBox>("input-0").currentData() == "smooth"_q);
  test.model().undoStack().undo();
  CHECK(test.find<QComboBox>("input-0").currentData() == "source"_q);
  // The row above reads nothing but the data.
  select(test, 0);
  CHECK(test.find<QComboBox>("input-0").count() == 1);
}

TEST_CASE("the readers of a row follow its name, in one step") {
  TestWindow test;
  setGradient(test);
  auto& list = test.find<QListWidget>("filters");
  list.item(0)->setText("soft one"_q);
  CHECK(row(test, 1).inputs == std::vector<std::string>{"soft one"});
  CHECK(row(test, 2).inputs == std::vector<std::string>{"soft one"});
  list.item(1)->setText("d x"_q);
  CHECK(*formulaOf(row(test, 3)) == "sqrt(\"d x\"^2+gy^2)");
  CHECK(test.model().undoStack().count() == 2);
  test.model().undoStack().undo();
  test.model().undoStack().undo();
  CHECK(row(test, 1).inputs == std::vector<std::string>{"smooth"});
  CHECK(*formulaOf(row(test, 3)) == "sqrt(gx^2+gy^2)");
  // A formula cannot write it down.
  list.item(1)->setText("d \"x\""_q);
  CHECK(row(test, 1).name == "gx");
  CHECK(*formulaOf(row(test, 3)) == "sqrt(gx^2+gy^2)");
  CHECK_THAT(noticeOf(test), ContainsSubstring("cannot be empty or contain"));
  list.item(1)->setText("d\u202ex"_q);
  CHECK(row(test, 1).name == "gx");
  // That of the data is taken.
  list.item(0)->setText("source"_q);
  CHECK(row(test, 0).name == "smooth");
  CHECK_THAT(noticeOf(test), ContainsSubstring("source"));
}

TEST_CASE("no row is moved above what it reads or below its readers") {
  TestWindow test;
  setGradient(test);
  auto& list = test.find<QListWidget>("filters");
  const std::vector<std::string> before = names(test);
  select(test, 0);
  test.click("filter-down");
  CHECK(names(test) == before);
  CHECK(list.currentRow() == 0);
  CHECK_THAT(noticeOf(test), ContainsSubstring("gx reads smooth"));
  // By the mouse the list is in its new order already.
  REQUIRE(list.model()->moveRow({}, 3, {}, 1));
  REQUIRE_SOON(list.item(3)->text() == "edge"_q);
  CHECK(names(test) == before);
  CHECK_THAT(noticeOf(test), ContainsSubstring("edge reads"));
  CHECK_FALSE(test.model().undoStack().canUndo());
  // What nothing forbids is done, and the arrows follow.
  select(test, 2);
  test.click("filter-up");
  CHECK(names(test) == std::vector<std::string>{"smooth", "gy", "gx", "edge"});
  CHECK(noticeOf(test).empty());
  const std::vector<BankArrow>& arrows = test.find<ArrowGutter>("arrows").arrows();
  CHECK(arrows == std::vector<BankArrow>{{-1, 0}, {0, 1}, {0, 2}, {2, 3}, {1, 3}});
}

TEST_CASE("readers of a row that goes say what is missing, and a copy reads the same") {
  TestWindow test;
  setGradient(test);
  REQUIRE(test.openSample("zone-plate", 24));
  select(test, 1);
  test.click("filter-duplicate");
  CHECK(row(test, 2).name == "gx 2");
  CHECK(row(test, 2).inputs == std::vector<std::string>{"smooth"});
  select(test, 3);
  REQUIRE(row(test, 3).name == "gy");
  test.click("filter-remove");
  auto& remarks = test.find<QLabel>("bankRemarks");
  REQUIRE_SOON(remarks.text().contains("there is no row of this name"_q));
  CHECK_THAT(fromQt(remarks.text()), ContainsSubstring("edge reads gy"));
  test.model().undoStack().undo();
  REQUIRE(test.waitIdle());
  CHECK(remarks.text().isEmpty());
  test.find<QListWidget>("filters").item(0)->setCheckState(Qt::Unchecked);
  REQUIRE_SOON(noticeOf(test).find("which is disabled") != std::string::npos);  // every row is left out
}

TEST_CASE("a formula is typed, its constants have sliders, and an error is marked while the last one holds") {
  TestWindow test({"gaussian:sigma=1,name=smooth", "formula:name=mix"}, "zone-plate", 24);
  select(test, 1);
  typeFormula(test, "source + @k=0.5[0..2]*(source - smooth) + @b=1[0..9]");
  CHECK_THAT(*formulaOf(row(test, 1)), ContainsSubstring("@k=0.5"));
  REQUIRE(test.waitIdle());
  test.find<ValueSlider>("k.slider").setValue(test.find<ValueSlider>("k.slider").maximum());
  test.find<ValueSlider>("b.slider").setValue(test.find<ValueSlider>("b.slider").maximum());
  CHECK(row(test, 1).parameters.at("k") == OptionValue(2.0));
  CHECK(row(test, 1).parameters.at("b") == OptionValue(9.0));
  const int steps = test.model().undoStack().count();
  // One constant goes, with its value; the other stays, within its new range.
  typeFormula(test, "source + @k=0.5[0..1]*(source - smooth)");
  CHECK(test.model().undoStack().count() == steps + 1);
  CHECK(row(test, 1).parameters.at("k") == OptionValue(1.0));
  CHECK_FALSE(row(test, 1).parameters.contains("b"));
  REQUIRE_SOON(test.window->findChild<ValueSlider*>("b.slider"_q) == nullptr);
  test.model().undoStack().undo();
  CHECK(row(test, 1).parameters.at("b") == OptionValue(9.0));
  CHECK(test.find<ValueSlider>("b.slider").value() == test.find<ValueSlider>("b.slider").maximum());
  // While the text is typed anew a constant may be missing for a while.
  typeFormula(test, "source", false);
  REQUIRE_SOON(*formulaOf(row(test, 1)) == "source");
  CHECK_FALSE(row(test, 1).parameters.contains("b"));
  QTest::keyClicks(&test.find<QPlainTextEdit>("formula.text"), "*@b=1[0..9]"_q);
  QTest::keyClick(&test.find<QPlainTextEdit>("formula.text"), Qt::Key_Return);
  CHECK(row(test, 1).parameters.at("b") == OptionValue(9.0));
  // What is no formula changes nothing.
  const FilterBank bank = test.model().bank();
  auto& box = test.find<QPlainTextEdit>("formula.text");
  auto& error = test.find<QLabel>("formula.error");
  typeFormula(test, "source + * 2");
  CHECK(test.model().bank() == bank);
  CHECK_THAT(fromQt(error.text()), ContainsSubstring("column 10"));
  REQUIRE(box.extraSelections().size() == 1);
  CHECK(box.extraSelections().front().cursor.selectedText() == "*"_q);
  // Without Enter, after a pause.
  typeFormula(test, "2 * source", false);
  REQUIRE_SOON(*formulaOf(row(test, 1)) == "2 * source");
  CHECK(error.text().isEmpty());
  CHECK(box.extraSelections().isEmpty());
  // Names of rows, in quotes where they have to be.
  test.find<QListWidget>("filters").item(0)->setText("soft one"_q);
  typeFormula(test, "source - ", false);
  QMenu* menu = test.find<QToolButton>("formula.insert").menu();
  REQUIRE(menu->actions().size() == 2);
  menu->actions().at(1)->trigger();
  CHECK(box.toPlainText() == "source - \"soft one\""_q);
  // Several lines.
  QTest::keyClick(&box, Qt::Key_Return, Qt::ShiftModifier);
  QTest::keyClicks(&box, "+ 1"_q);
  test.find<QListWidget>("filters").setFocus();
  select(test, 0);
  REQUIRE_SOON(*formulaOf(row(test, 1)) == "source - \"soft one\"\n+ 1");
}

TEST_CASE("the last row follows the slider of the first") {
  TestWindow test;
  setGradient(test);
  REQUIRE(test.openSample("zone-plate", 48));
  test.showRow("edge");
  const std::vector<float> before = valuesOf(test, "edge"), gx = valuesOf(test, "gx"), gy = valuesOf(test, "gy");
  for (std::size_t i = 0; i < before.size(); ++i)
    CHECK(before[i] == Approx(std::hypot(gx[i], gy[i])).epsilon(1e-4).margin(1e-3));
  FilterRecipe recipe = row(test, 0);
  recipe.parameters["sigma"] = Length{3, false};
  test.model().editRecipe(0, recipe, "sigma"_q);
  REQUIRE(test.waitIdle());
  CHECK(valuesOf(test, "edge") != before);
  CHECK(test.find<QComboBox>("shownFilter").count() == 4);
}

TEST_CASE("intermediate rows are shown, but not exported") {
  TestWindow test;
  setGradient(test);
  REQUIRE(test.openSample("zone-plate", 24));
  select(test, 2);
  CHECK(test.find<QCheckBox>("intermediate").isChecked());
  CHECK(test.find<QListWidget>("filters").item(2)->font().italic());
  CHECK(exportTo(test, 0, test.folder / "{}.nrrd") == QStringList{toQt((test.folder / "edge.nrrd").string())});
  ExportDialog& dialog = showExport(*test.window, 0);
  test.find<QCheckBox>("intermediate").click();
  CHECK_FALSE(row(test, 2).intermediate);
  CHECK_FALSE(test.find<QListWidget>("filters").item(2)->font().italic());
  REQUIRE(test.waitIdle());
  CHECK(exportTo(test, 0, test.folder / "two-{}.nrrd").size() == 2);
  // Nothing at all.
  FilterBank bank = test.model().bank();
  for (FilterRecipe& each : bank.filters) each.intermediate = true;
  test.model().editBank(bank, "all"_q);
  REQUIRE(test.waitIdle());
  CHECK_FALSE(dialog.findChild<QPushButton*>("exportStart"_q)->isEnabled());
}

TEST_CASE("a session with arrows opens as it was saved, and one whose formula is none is refused") {
  const TemporaryFolder folder;
  Session before;
  {
    TestWindow test;
    setGradient(test);
    REQUIRE(test.openSample("zone-plate", 24));
    test.save(toQt((folder / "work.json").string()));
    before = test.model().session();
  }
  TestWindow test;
  test.showFile(folder / "work.json");
  CHECK(test.model().session() == before);
  CHECK(test.find<ArrowGutter>("arrows").isVisible());
  std::string text = readTextFile((folder / "work.json").string());
  const std::size_t at = text.find("sqrt(gx^2+gy^2)");
  REQUIRE(at != std::string::npos);
  text.replace(at, 5, "sqrt((");
  writeTextFile(folder / "bad.json", text);
  CHECK_FALSE(test.openFile(folder / "bad.json"));
  CHECK(test.model().session() == before);
  // One that got into the bank by another way is told where it is.
  FilterBank bank = test.model().bank();
  bank.filters[3].parameters["e"] = std::string("sqrt(");
  test.model().editBank(bank, "bad"_q);
  select(test, 3);
  REQUIRE_SOON(test.find<QLabel>("bankRemarks").text().contains("column"_q));
  CHECK(test.find<QPlainTextEdit>("formula.text").toPlainText() == "sqrt("_q);
}

TEST_CASE("rows that are not one operator are told in words") {
  const auto words = [](const char* spec) { return fromQt(partWords(makePart(parseFilterSpec(spec), FilterGrid{}))); };
  CHECK(words("formula:e=gx+gy") == "formula: reads gx, gy; pointwise");
  CHECK(words("formula:e=gx[0,-2,0]-gx") == "formula: reads gx; neighbors up to 2 voxels away");
  CHECK_THAT(words("gradient"), ContainsSubstring("stages: "));
  KernelView view;
  view.setOperator(Operator(Formula::parse("source + 1")));
  CHECK_FALSE(view.grab().isNull());
}
