// Source and result compared in the Filter room: keys, lists, live norms, colors, sessions, undo.

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>
#include <array>

#include "core/filter/job/filter_view.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/controls/labels.h"
#include "ui/controls/number_box.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/views/difference_slices.h"

#include <nlohmann/json.hpp>

using namespace sscope;
using namespace sscope::test;

namespace {

VolumeViews& filterViews(TestWindow& test) { return test.views(); }

const FilterView& viewSettings(TestWindow& test) { return test.model().settings<FilterView>(); }

void pressInViews(TestWindow& test, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
  filterViews(test).setFocus();
  QTest::keyClick(QApplication::focusWidget(), key, modifiers);
}

void chooseValue(QComboBox& list, const char* value) { list.setCurrentIndex(list.findData(QLatin1String(value))); }

std::string shownNorms(TestWindow& test) { return test.find<ElidedLabel>("differenceNorms").wholeText().toStdString(); }

}  // namespace

TEST_CASE("C goes through the ways to compare, and Space switches sides as ever") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  auto& list = test.find<QComboBox>("viewCompare");
  CHECK_FALSE(list.isVisible());
  pressInViews(test, Qt::Key_C);
  CHECK(test.model().view().show == "both");
  CHECK(viewSettings(test).compare == "side");
  for (const char* way : {"swipe", "flicker", "checkerboard", "difference", "side", "swipe"}) {
    pressInViews(test, Qt::Key_C);
    CHECK(viewSettings(test).compare == way);
    CHECK(list.currentData().toString() == QLatin1String(way));
  }
  CHECK(list.isVisible());
  CHECK(filterViews(test).compare().how == CompareLook::How::Swipe);
  // A gaussian keeps the mean: both are seen through the window of the source.
  CHECK(filterViews(test).resultTakesSourceWindow());
  pressInViews(test, Qt::Key_Space);
  CHECK(test.model().view().show == "source");
  pressInViews(test, Qt::Key_Space);
  CHECK(test.model().view().show == "result");
  pressInViews(test, Qt::Key_C);
  CHECK(test.model().view().show == "both");
  CHECK(viewSettings(test).compare == "swipe");
  pressInViews(test, Qt::Key_Left, Qt::ShiftModifier);
  CHECK(viewSettings(test).divider == Approx(0.48));
  chooseValue(list, "checkerboard");
  CHECK(filterViews(test).compare().how == CompareLook::How::Checkerboard);
  test.model().undoStack().undo();
  CHECK(filterViews(test).compare().how == CompareLook::How::Swipe);
  CHECK(viewSettings(test).divider == Approx(0.48));  // no step of undo
}

TEST_CASE("only results in the data's own quantity are seen through the window of the source") {
  TestWindow test({"gaussian:sigma=1,name=soft", "sobel:input=soft,name=gx", "gaussian:sigma=1,input=gx,name=softer",
                   "median:input=soft,name=middle"},
                  "gyroid", 16);
  pressInViews(test, Qt::Key_C);
  pressInViews(test, Qt::Key_C);
  REQUIRE(filterViews(test).compare().how == CompareLook::How::Swipe);
  auto& list = test.find<QListWidget>("filters");
  const std::array<bool, 4> kept{true, false, false, true};
  for (int row = 0; row < 4; ++row) {
    INFO("row " << row);
    list.setCurrentRow(row);
    CHECK(filterViews(test).compare().oneWindow == kept[static_cast<std::size_t>(row)]);
  }
}

TEST_CASE("the norms of the difference are those of the slices, and follow a slider while it is held") {
  TestWindow test({"gaussian:sigma=1", "sobel"}, "foam", 32);
  FilterView view;
  view.compare = "difference";
  test.model().edit(view);
  pressInViews(test, Qt::Key_C, {});  // shows both
  REQUIRE(viewSettings(test).compare == "difference");
  const auto exact = [&](std::size_t output) {
    const auto result = test.window->live().result()->outputs.at(output)->host({});
    const std::int64_t at = test.model().crosshair()[2];
    return sliceDifference(*test.model().data().volume, at, *result, at, 2, 0, DifferenceKind::Signed).norms;
  };
  CHECK(shownNorms(test) == allNorms(exact(0), true).toStdString());
  CHECK_THAT(shownNorms(test), ContainsSubstring("PSNR") && ContainsSubstring("relative L2"));

  test.model().setHeld(true);
  const std::string before = shownNorms(test);
  test.editOption("sigma", Length{2.5, {}}, "drag"_q);
  REQUIRE_SOON(shownNorms(test) != before);
  test.model().setHeld(false);
  REQUIRE(test.waitIdle());
  CHECK(shownNorms(test) == allNorms(exact(0), true).toStdString());

  // Another slice; a derivative has no ratio of signal to noise; other kinds have the same norms.
  pressInViews(test, Qt::Key_Up);
  CHECK(shownNorms(test) == allNorms(exact(0), true).toStdString());
  test.showRow("sobel");
  CHECK(shownNorms(test) == allNorms(exact(1), false).toStdString());
  chooseValue(test.find<QComboBox>("viewDifference"), "relative");
  CHECK(filterViews(test).difference(VolumeViews::View::Axial)->kind == DifferenceKind::Relative);
  CHECK(shownNorms(test) == allNorms(exact(1), false).toStdString());
}

TEST_CASE("the box above the pictures is the range of the difference while one is shown") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  test.model().edit(FilterView{.compare = "difference"});
  pressInViews(test, Qt::Key_C);
  auto& box = test.find<NumberBox>("windowWidth");
  auto& automatic = test.find<QToolButton>("windowAuto");
  CHECK_FALSE(test.find<NumberBox>("windowLevel").isVisible());
  CHECK(automatic.isChecked());
  const double found = filterViews(test).differenceRange();
  CHECK(box.value() == found);
  typeInto(box, "2.5"_q);
  CHECK(viewSettings(test).differenceRange == 2.5);
  CHECK(filterViews(test).differenceRange() == 2.5);
  CHECK_FALSE(automatic.isChecked());
  CHECK_FALSE(test.model().view().resultWindow);
  SECTION("Auto") {
    automatic.click();
    CHECK(filterViews(test).differenceRange() == found);
  }
  SECTION("another kind") {
    chooseValue(test.find<QComboBox>("viewDifference"), "absolute");
    CHECK(viewSettings(test).differenceRange == 0);
  }
  SECTION("other data") {
    REQUIRE(test.openSample("foam", 16));
    CHECK(viewSettings(test).differenceRange == 0);
  }
}

TEST_CASE("colors, inversion and gamma are settings of the room") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  auto& popup = test.find<QFrame>("lookPopup");
  test.press("look");
  CHECK(popup.isVisible());
  CHECK_FALSE(test.find<QWidget>("ctBrain").isVisible());
  chooseValue(test.find<QComboBox>("viewColors"), "inferno");
  CHECK(filterViews(test).sliceColors() == ColorUse{ColorMap::Inferno});
  auto& gamma = test.find<NumberBox>("viewGamma");
  typeInto(gamma, "2"_q);
  QTest::keyClick(&popup, Qt::Key_Escape);
  CHECK_FALSE(popup.isVisible());
  pressInViews(test, Qt::Key_I);
  CHECK(filterViews(test).sliceColors() == ColorUse{ColorMap::Inferno, true, 2});
  CHECK(test.find<QWidget>("sliceColorBar").isVisible());

  const Session kept = sessionFromJson(toJson(test.model().session()));
  test.model().undoStack().undo();
  CHECK(filterViews(test).sliceColors() == ColorUse{ColorMap::Inferno, false, 2});
  test.model().undoStack().undo();
  test.model().undoStack().undo();
  CHECK(filterViews(test).sliceColors() == ColorUse());
  CHECK_FALSE(test.find<QWidget>("sliceColorBar").isVisible());
  test.model().replaceSession(kept);
  CHECK(filterViews(test).sliceColors() == ColorUse{ColorMap::Inferno, true, 2});
  // A session of before there were any.
  nlohmann::json old = toJson(kept);
  for (const SettingRow& row : FilterView::table().rows) old["view"].erase(row.name);
  test.model().replaceSession(sessionFromJson(old));
  CHECK(filterViews(test).sliceColors() == ColorUse());
}

TEST_CASE("computed tomographies are offered windows, which go to results in the same unit") {
  TestWindow test({"gaussian:sigma=1", "sobel"});
  Volume volume({24, 24, 24, 1}, ElementType::i16);
  std::size_t i = 0;
  for (std::int16_t& value : volume.elements<std::int16_t>()) value = (i++ % 24) < 12 ? -1000 : 40;
  test.workshop.io->write(test.folder / "ct.nrrd", volume, {});
  test.showFile(test.folder / "ct.nrrd");
  test.press("look");
  REQUIRE(test.find<QWidget>("ctBrain").isVisible());
  test.press("ctLung");
  CHECK(filterViews(test).sourceWindow() == ValueWindow{-1350, 150});
  CHECK(filterViews(test).resultWindow() == ValueWindow{-1350, 150});
  ViewState shown = test.model().view();
  shown.shownFilter = "sobel";
  shown.resultWindow.reset();
  test.model().setView(shown);
  test.press("ctBone");
  CHECK(filterViews(test).sourceWindow() == ValueWindow{-500, 1300});
  CHECK(filterViews(test).resultWindowAutomatic());
}
