// The look of the 3D view as settings of the Filter room: presets, points, link, sessions, undo.

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QMenu>
#include <QToolButton>
#include <utility>

#include "core/filter/families/recipe_text.h"
#include "core/filter/job/filter_view.h"
#include "core/filter/job/volume_settings.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/controls/labels.h"
#include "ui/controls/number_box.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/views/transfer_editor.h"

#include <nlohmann/json.hpp>

using namespace sscope;
using namespace sscope::test;

namespace {

VolumeViews& viewsOf(TestWindow& test) { return test.views(); }

const VolumeSettings& settingsOf(TestWindow& test) { return test.model().settings<VolumeSettings>(); }

void pressV(TestWindow& test) {
  viewsOf(test).setFocus();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_V);
}

void choose(QComboBox& list, const char* value) {
  const int index = list.findData(QLatin1String(value));
  REQUIRE(index >= 0);
  list.setCurrentIndex(index);
  Q_EMIT list.activated(index);
}

// The source alone, drawn.
void openVolume(TestWindow& test, const char* sample) {
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample(sample, 24));
  ViewState view = test.model().view();
  view.show = "source";
  test.model().setView(view);
  REQUIRE_SOON(viewsOf(test).volumeInsight(0) != nullptr);
}

}  // namespace

TEST_CASE("V shows the look of the 3D view, which tells what it found") {
  TestWindow test;
  openVolume(test, "shepp-logan");
  auto& editor = test.find<TransferEditor>("volumeTransfer");
  CHECK_FALSE(editor.isVisible());
  const int steps = test.model().undoStack().index();
  pressV(test);
  CHECK(editor.isVisible());
  CHECK(test.find<QToolButton>("volumeLook").isChecked());
  REQUIRE_SOON(editor.points().size() >= 2);
  const auto found = viewsOf(test).volumeInsight(0);
  CHECK(test.find<ElidedLabel>("volumeWhy").wholeText().contains(QString::fromStdString(found->found.why)));
  CHECK(test.find<QComboBox>("volumePreset").toolTip().contains(QString::fromStdString(found->found.why)));
  CHECK_FALSE(test.find<QComboBox>("volumeSide").isVisible());
  pressV(test);
  CHECK_FALSE(editor.isVisible());
  CHECK(test.model().undoStack().index() == steps);  // to show it is no step
}

TEST_CASE("kind, presets and points of the 3D view are steps of undo and kept in sessions") {
  TestWindow test;
  openVolume(test, "shepp-logan");
  pressV(test);
  auto& editor = test.find<TransferEditor>("volumeTransfer");
  auto& presets = test.find<QComboBox>("volumePreset");
  choose(test.find<QComboBox>("volumeMode"), "maximum");
  CHECK(viewsOf(test).volumeLook().mode == VolumeMode::Maximum);
  choose(presets, "object-glass");
  CHECK(settingsOf(test).sourcePreset == "object-glass");
  CHECK(settingsOf(test).resultPreset == "auto");
  const auto glass = editor.points();
  CHECK(glass.size() == findPreset("object-glass")->curve.points.size());

  editor.setFocus();
  QTest::keyClick(&editor, Qt::Key_Home);
  QTest::keyClick(&editor, Qt::Key_Up);
  QTest::keyClick(&editor, Qt::Key_Up);
  CHECK(settingsOf(test).sourcePreset == "own");
  REQUIRE(settingsOf(test).sourcePoints.size() == glass.size());
  CHECK(settingsOf(test).sourcePoints[0].opacity > glass[0].opacity);
  CHECK(viewsOf(test).volumeLook().own[0] == settingsOf(test).sourcePoints);
  CHECK(presets.currentData().toString() == "own"_q);
  QTest::keyClick(&editor, Qt::Key_Space);
  auto* dialog = test.window->findChild<QColorDialog*>("volumeColor"_q);
  REQUIRE(dialog != nullptr);
  dialog->setCurrentColor(QColor(0, 255, 0));
  dialog->accept();
  CHECK(settingsOf(test).sourcePoints[0].color == Rgb{0, 1, 0});

  const Session kept = sessionFromJson(toJson(test.model().session()));
  test.model().undoStack().undo();  // the color
  CHECK(settingsOf(test).sourcePoints[0].color == glass[0].color);
  test.model().undoStack().undo();  // both steps of the key, in quick succession
  CHECK(settingsOf(test).sourcePreset == "object-glass");
  CHECK(editor.points() == glass);
  test.model().undoStack().undo();
  test.model().undoStack().undo();
  CHECK(viewsOf(test).volumeLook() == VolumeLook());
  test.model().replaceSession(kept);
  CHECK(viewsOf(test).volumeLook().mode == VolumeMode::Maximum);
  CHECK(viewsOf(test).volumeLook().preset[0] == "own");
  CHECK(viewsOf(test).volumeLook().own[0][0].color == Rgb{0, 1, 0});
  test.press("volumeReset");
  CHECK(viewsOf(test).volumeLook().preset[0] == "auto");
}

TEST_CASE("the level of an isosurface is a number, a slider or found") {
  TestWindow test;
  openVolume(test, "shepp-logan");
  pressV(test);
  auto& box = test.find<NumberBox>("volumeLevel");
  auto& automatic = test.find<QToolButton>("volumeLevelAuto");
  CHECK_FALSE(box.isVisible());
  choose(test.find<QComboBox>("volumeMode"), "surface");
  CHECK(box.isVisible());
  CHECK(automatic.isChecked());
  const double found = box.value();
  CHECK(found ==
        Approx(startLevel(viewsOf(test).volumeInsight(0)->found.kind, viewsOf(test).volumeInsight(0)->levels)));
  typeInto(box, "0.25"_q);
  CHECK(settingsOf(test).sourceLevel == 0.25);
  CHECK_FALSE(automatic.isChecked());
  REQUIRE_SOON(viewsOf(test).statusText(VolumeViews::View::Volume).contains("level 0.25, "_q));
  CHECK(viewsOf(test).statusText(VolumeViews::View::Volume).contains("triangles"_q));
  automatic.click();
  CHECK_FALSE(settingsOf(test).sourceLevel);
  CHECK(box.value() == Approx(found));
}

TEST_CASE("the other sign of an isosurface can be left out, of data of both signs alone") {
  TestWindow test;
  openVolume(test, "shepp-logan");
  pressV(test);
  choose(test.find<QComboBox>("volumeMode"), "surface");
  auto& both = test.find<QCheckBox>("volumeBothSigns");
  CHECK_FALSE(both.isVisible());
  FilterBank bank = test.model().bank();
  bank.filters = {parseFilterSpec("sobel:axis=x")};
  test.model().editBank(bank, "derivative"_q);
  ViewState view = test.model().view();
  view.show = "result";
  test.model().setView(view);
  REQUIRE_SOON(viewsOf(test).volumeInsight(1) != nullptr && both.isVisible());
  CHECK(viewsOf(test).volumeInsight(1)->found.kind == DataKind::Signed);
  CHECK(both.isChecked());
  REQUIRE_SOON(viewsOf(test).statusText(VolumeViews::View::Volume).contains("level ±"_q));
  both.click();
  CHECK_FALSE(settingsOf(test).bothSigns);
  REQUIRE(wait([&] {
    const QString words = viewsOf(test).statusText(VolumeViews::View::Volume);
    return words.contains("level "_q) && !words.contains("±"_q);
  }));
  test.model().undoStack().undo();
  CHECK(settingsOf(test).bothSigns);
}

TEST_CASE("the menu of the 3D view offers kinds, looks and their settings") {
  TestWindow test;
  openVolume(test, "shepp-logan");
  const auto entryOf = [&](const char* text) -> QAction* {
    for (QMenu* menu : test.window->findChildren<QMenu*>("pictureMenu"_q)) {
      QList<QMenu*> menus = menu->findChildren<QMenu*>();
      menus << menu;
      for (const QMenu* each : std::as_const(menus))
        for (QAction* action : each->actions())
          if (QString(action->text()).remove(QLatin1Char('&')).contains(QLatin1String(text))) return action;
    }
    return nullptr;
  };
  const auto pick = [&](const char* text) {
    Q_EMIT viewsOf(test).menuRequested(VolumeViews::View::Volume, QPoint(20, 20));
    QAction* action = entryOf(text);
    CAPTURE(text);
    REQUIRE(action != nullptr);
    action->trigger();
    for (QMenu* menu : test.window->findChildren<QMenu*>("pictureMenu"_q)) menu->close();
    REQUIRE_SOON(test.window->findChild<QMenu*>("pictureMenu"_q) == nullptr);
  };
  pick("Minimum");
  CHECK(settingsOf(test).mode == "minimum");
  pick("Glass");
  CHECK(settingsOf(test).sourcePreset == "object-glass");
  Q_EMIT viewsOf(test).menuRequested(VolumeViews::View::Volume, QPoint(20, 20));
  CHECK(entryOf("Minimum")->isChecked());
  CHECK(entryOf("Glass")->isChecked());
  CHECK_FALSE(entryOf("Automatic")->isChecked());
  CHECK_FALSE(entryOf("Settings of the look")->isChecked());
  test.window->findChild<QMenu*>("pictureMenu"_q)->close();
  REQUIRE_SOON(test.window->findChild<QMenu*>("pictureMenu"_q) == nullptr);
  pick("Settings of the look");
  CHECK(settingsOf(test).panel);
  // Of slices there is nothing of it.
  Q_EMIT viewsOf(test).menuRequested(VolumeViews::View::Axial, QPoint(20, 20));
  CHECK(entryOf("Minimum") == nullptr);
  test.window->findChild<QMenu*>("pictureMenu"_q)->close();
}

TEST_CASE("the 3D view follows the colors of the slices while it is linked") {
  TestWindow test;
  openVolume(test, "shepp-logan");
  pressV(test);
  auto& editor = test.find<TransferEditor>("volumeTransfer");
  REQUIRE_SOON(editor.points().size() >= 2);
  const auto plain = editor.points();
  test.model().edit(FilterView{.colors = "inferno"});
  CHECK(viewsOf(test).sliceLook(0).colors.map == ColorMap::Inferno);
  CHECK(editor.points() != plain);
  auto& linked = test.find<QCheckBox>("volumeLinked");
  CHECK(linked.isChecked());
  linked.click();
  CHECK_FALSE(viewsOf(test).volumeLook().linked);
  CHECK(editor.points() == plain);
}

TEST_CASE("points, levels and cuts of other data are dropped") {
  TestWindow test;
  openVolume(test, "shepp-logan");
  pressV(test);
  choose(test.find<QComboBox>("volumePreset"), "object-glass");
  choose(test.find<QComboBox>("volumeMode"), "average");
  REQUIRE(test.openSample("foam", 24));
  CHECK(settingsOf(test).sourcePreset == "auto");
  CHECK(settingsOf(test).mode == "average");
  CHECK(settingsOf(test).panel);
}

TEST_CASE("cuts are percent of the axes") {
  TestWindow test;
  openVolume(test, "shepp-logan");
  pressV(test);
  test.press("volumeCut");
  auto& box = test.find<NumberBox>("volumeCropX1");
  REQUIRE(box.isVisible());
  typeInto(box, "40"_q);
  CHECK(viewsOf(test).volumeLook().crop == std::array<double, 6>{0, 0.4, 0, 1, 0, 1});
  test.press("volumeWhole");
  CHECK(viewsOf(test).volumeLook().crop == VolumeLook().crop);
}
