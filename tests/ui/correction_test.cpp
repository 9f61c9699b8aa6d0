// What a person says of files in the window: corrections, layouts of raw voxels, and which of several things is meant.

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>
#include <fstream>

#include "datasets/samples.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/panels/corrections.h"
#include "ui/window/dialogs.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// A window with a file open, whose steps are millimeters.
struct CorrectionScene {
  CorrectionScene() {
    test.setBank({"gaussian:sigma=1"});
    test.workshop.io->write(path, makeSample("gyroid", 12, 1, {}), {});
    REQUIRE(test.openFile(path));
  }
  [[nodiscard]] std::string unit() { return test.model().data().volume->geometry().unit; }
  // The session and the data say the same.
  [[nodiscard]] bool named(const std::string& name) {
    return test.model().session().data.path == name && test.model().data().source.path == name;
  }
  void correct(const std::string& name) {
    test.window->loader().correct(toQt(name));
    REQUIRE_SOON(named(name));
  }

  TestWindow test;
  TemporaryFolder folder;
  std::string path = folder / "x.nrrd";
};

}  // namespace

TEST_CASE("what a file does not say is corrected in the window, and stays in the session") {
  CorrectionScene scene;
  TestWindow& test = scene.test;
  CHECK(test.find<QToolButton>("correctData").isVisibleTo(test.window.get()));
  CorrectionDialog dialog(scene.path, &test.model().data().info, *test.workshop.io, test.window.get());
  const auto field = [&](const char* name) { return dialog.findChild<QLineEdit*>(QLatin1String(name)); };
  auto* accept = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  field("spacing")->setText("0.1,0.1,furlong"_q);
  CHECK_FALSE(accept->isEnabled());
  CHECK_FALSE(dialog.findChild<QLabel*>("refusal"_q)->text().isEmpty());
  field("spacing")->setText("0.1,0.1,0.5um"_q);
  CHECK(accept->isEnabled());
  CHECK(dialog.name() == scene.path + "@spacing=0.1x0.1x0.5um");
  scene.correct(dialog.name());
  CHECK(scene.unit() == "um");
  CHECK(test.model().bank().filters.size() == 1);  // the bank stays
  writeSession(scene.folder / "s.json", test.model().session());
  CHECK(readSession(scene.folder / "s.json").data.path == dialog.name());
  // Opened again, the dialog shows what was said, and takes it back.
  CorrectionDialog again(dialog.name(), &test.model().data().info, *test.workshop.io, test.window.get());
  CHECK(again.findChild<QLineEdit*>("spacing"_q)->text() == "0.1x0.1x0.5um"_q);
  again.findChild<QPushButton*>("asTheFile"_q)->click();
  CHECK(again.name() == scene.path);
}

TEST_CASE("a correction is a step that is undone and redone, with the view") {
  CorrectionScene scene;
  TestWindow& test = scene.test;
  SessionModel& model = test.model();
  const auto sigma = [&] { return std::get<Length>(model.bank().filters.front().parameters.at("sigma")).value; };
  FilterRecipe recipe = model.bank().filters.front();
  recipe.parameters["sigma"] = Length{2, false};
  model.editRecipe(0, recipe, "sigma"_q);
  ViewState view = model.view();
  view.crosshair = {3, 4, 11};
  model.setView(view);
  const std::string spacing = scene.path + "@spacing=0.1x0.1x0.5um", axes = scene.path + "@t=0,axes=t3zyx";
  scene.correct(spacing);
  CHECK(model.dirty());
  CHECK(model.crosshair()[2] == 11);
  test.window->loader().correct(toQt(scene.path + "@axes=t3zyx"));
  REQUIRE_SOON(scene.named(axes));
  CHECK(model.data().volume->shape() == VolumeShape{12, 12, 4, 1});
  CHECK(model.crosshair()[2] == 2);
  model.undoStack().undo();
  REQUIRE_SOON(scene.named(spacing));
  CHECK(scene.unit() == "um");
  CHECK(model.crosshair()[2] == 11);
  model.undoStack().undo();
  REQUIRE_SOON(scene.named(scene.path));
  CHECK(scene.unit() == "mm");
  CHECK(sigma() == 2);
  model.undoStack().undo();
  CHECK(sigma() == 1);
  // Two at once: only what the last one names is loaded.
  for (int step = 0; step < 3; ++step) model.undoStack().redo();
  REQUIRE_SOON(scene.named(axes));
  CHECK(sigma() == 2);
  // Of other data that are open nothing is corrected.
  REQUIRE(test.openSample("gyroid", 10));
  model.undoStack().undo();
  CHECK(model.session().data.sample == "gyroid");
}

TEST_CASE("where an undone correction cannot be loaded, the data and the session stay with each other") {
  CorrectionScene scene;
  SessionModel& model = scene.test.model();
  DataLoader& loader = scene.test.window->loader();
  const std::string name = scene.path + "@spacing=0.1x0.1x0.5um";
  scene.correct(name);
  SECTION("canceled") {
    model.undoStack().undo();
    REQUIRE(loader.busy());
    loader.cancel();
    CHECK(scene.named(name));
    CHECK(model.undoStack().canUndo());
    model.undoStack().undo();
    REQUIRE_SOON(scene.named(scene.path));
  }
  SECTION("redone before it was there") {
    model.undoStack().undo();
    model.undoStack().redo();
    CHECK_FALSE(loader.busy());
    CHECK(scene.named(name));
  }
  SECTION("the file is gone") {
    std::filesystem::remove(scene.path);
    const QSignalSpy failed(&loader, &DataLoader::failed);
    model.undoStack().undo();
    REQUIRE_SOON(!failed.isEmpty());
    CHECK(scene.named(name));
    CHECK_FALSE(model.undoStack().canRedo());
  }
  SECTION("another correction fails") {
    const QSignalSpy failed(&loader, &DataLoader::failed);
    loader.correct(toQt(scene.path + "@axes=t5zyx"));
    REQUIRE_SOON(!failed.isEmpty());
    CHECK(scene.named(name));
    CHECK(model.undoStack().count() == 1);
  }
  CHECK(scene.unit() == (scene.named(name) ? "um" : "mm"));
}

TEST_CASE("unit and axes are corrected at their place, as the dialog does it") {
  CorrectionScene scene;
  TestWindow& test = scene.test;
  const auto type = [&](const char* row, const char* text) {
    auto& label = test.find<FactLabel>(row);
    label.setFocus();
    QTest::keyClick(&label, Qt::Key_F2);
    auto& field = *label.parentWidget()->findChildren<QLineEdit*>(label.objectName() + "Edit"_q).last();
    field.setText(QString::fromUtf8(text));
    QTest::keyClick(&field, Qt::Key_Return);
  };
  type("dataUnit", "furlong");
  const auto& notice = test.find<Notice>("dataNotice");
  CHECK(notice.message().contains("furlong"_q));
  // What was wrong is forgotten when another entry begins, also where nothing changes.
  auto& unit = test.find<FactLabel>("dataUnit");
  unit.setFocus();
  QTest::keyClick(&unit, Qt::Key_F2);
  CHECK_FALSE(notice.isVisible());
  QTest::keyClick(unit.parentWidget()->findChildren<QLineEdit*>("dataUnitEdit"_q).last(), Qt::Key_Return);
  CHECK_FALSE(test.window->loader().busy());
  type("dataUnit", "um");
  REQUIRE_SOON(scene.named(scene.path + "@unit=um"));
  CHECK(scene.unit() == "um");
  CHECK(test.find<QLabel>("dataAxes").text() == "zyx"_q);  // no patient is measured in um
  type("dataAxes", "t5zyx");
  REQUIRE_SOON(notice.message().contains("t5zyx"_q));
  type("dataAxes", "t3zyx");
  REQUIRE_SOON(scene.named(scene.path + "@t=0,axes=t3zyx,unit=um"));
  CHECK(test.model().data().volume->shape() == VolumeShape{12, 12, 4, 1});
  // Of other axes no point in time stays chosen.
  type("dataAxes", "");
  REQUIRE_SOON(scene.named(scene.path + "@unit=um"));
  test.model().undoStack().undo();
  REQUIRE_SOON(scene.named(scene.path + "@t=0,axes=t3zyx,unit=um"));
}

TEST_CASE("spacing and origin are corrected at their place in the data panel, by mouse and keys") {
  CorrectionScene scene;
  TestWindow& test = scene.test;
  auto& spacing = test.find<FactLabel>("dataSpacing");
  QTest::mouseDClick(&spacing, Qt::LeftButton);
  auto& field = test.find<QLineEdit>("dataSpacingEdit");
  CHECK(field.text() == "2.5,2.5,2.5mm"_q);
  field.setText("0.125,0.125,0.5um"_q);
  QTest::keyClick(&field, Qt::Key_Return);
  REQUIRE_SOON(scene.named(scene.path + "@spacing=0.125x0.125x0.5um"));
  auto& origin = test.find<FactLabel>("dataOrigin");
  origin.setFocus();
  QTest::keyClick(&origin, Qt::Key_F2);
  auto& numbers = test.find<QLineEdit>("dataOriginEdit");
  numbers.setText("1,2"_q);
  QTest::keyClick(&numbers, Qt::Key_Return);
  CHECK(test.find<Notice>("dataNotice").message().contains("three numbers"_q));
  CHECK_FALSE(test.window->loader().busy());
  QTest::keyClick(&origin, Qt::Key_Return);
  auto& again = test.find<QLineEdit>("dataOriginEdit");
  again.setText("1,2,3um"_q);
  QTest::keyClick(&again, Qt::Key_Escape);
  CHECK_FALSE(test.window->loader().busy());
  CHECK(scene.test.model().data().volume->geometry().spacing[2] == 0.5);
}

TEST_CASE("raw voxels are shown as the layout has them, of which their number suggests some") {
  TestWindow test;
  const std::string path = test.folder / "x.dat";
  {
    std::ofstream file(path, std::ios::binary);
    for (int z = 0; z < 64; ++z) file << std::string(64 * 32, z == 32 ? '\0' : 'a') << std::string(64 * 32, 'b');
  }
  CorrectionDialog dialog(path, nullptr, *test.workshop.io, test.window.get());
  dialog.show();
  auto& layout = *dialog.findChild<QLineEdit*>("raw"_q);
  auto& preview = *dialog.findChild<QLabel*>("preview"_q);
  auto& accept = *dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  CHECK(layout.text() == "64x64x64,u8"_q);
  CHECK(dialog.findChild<QComboBox*>()->count() > 1);
  const auto gray = [&](double y) {
    const QImage image = preview.pixmap(Qt::ReturnByValue).toImage();
    return qGray(image.pixel(image.width() / 2, static_cast<int>(y * image.height())));
  };
  // Dark above, bright below: no other slice is.
  REQUIRE_SOON(!preview.pixmap(Qt::ReturnByValue).isNull());
  CHECK(gray(0.25) < 10);
  CHECK(gray(0.75) > 240);
  layout.setText("64x64x65,u8"_q);
  CHECK_FALSE(accept.isEnabled());
  CHECK(dialog.findChild<QLabel*>("refusal"_q)->text().contains("holds 262144 bytes"_q));
  CHECK(preview.pixmap(Qt::ReturnByValue).isNull());
  layout.setText("64x32x128,u8"_q);
  REQUIRE_SOON(!preview.pixmap(Qt::ReturnByValue).isNull());
  CHECK(preview.pixmap(Qt::ReturnByValue).width() == 2 * preview.pixmap(Qt::ReturnByValue).height());
  layout.clear();
  CHECK_FALSE(accept.isEnabled());
  layout.setText("64x64x64,u8"_q);
  REQUIRE(test.openFile(dialog.name()));
  CHECK(test.model().data().volume->shape() == VolumeShape{64, 64, 64, 1});
}

TEST_CASE("the chooser of raw voxels is gone before their layout is asked for") {
  TestWindow test;
  const std::string path = test.folder / "x.dat";
  std::ofstream(path, std::ios::binary) << std::string(8 * 8 * 8, 'a');
  test.find<QAction>("openRaw").trigger();
  auto* chooser = test.window->findChild<QFileDialog*>("openFolder"_q);
  REQUIRE(chooser != nullptr);
  chooser->selectFile(toQt(path));
  static_cast<QDialog*>(chooser)->accept();
  REQUIRE_SOON(test.window->findChild<CorrectionDialog*>() != nullptr);
  CHECK(test.window->findChild<CorrectionDialog*>()->isVisible());
  for (const QFileDialog* each : test.window->findChildren<QFileDialog*>()) CHECK_FALSE(each->isVisible());
  static_cast<QDialog*>(test.window->findChild<CorrectionDialog*>())->accept();
  REQUIRE_SOON(test.model().hasData());
  CHECK(test.model().data().volume->shape() == VolumeShape{8, 8, 8, 1});
}

TEST_CASE("of a file that holds several things one is chosen from a list, and the session names it") {
  TestWindow test({"gaussian:sigma=1"});
  const std::string file = foreignHdf5(test.folder.path(), *test.workshop.io);
  const auto dialog = [&] { return test.window->findChild<PartDialog*>("partDialog"_q); };
  test.window->openPaths({toQt(file)});
  REQUIRE_SOON(dialog() != nullptr && dialog()->isVisible());
  CHECK_FALSE(test.model().hasData());
  auto& list = *dialog()->findChild<QTreeWidget*>("parts"_q);
  REQUIRE(list.topLevelItemCount() == 2);
  CHECK(list.topLevelItem(1)->text(0) == "/ITKImags/0/VoxelData"_q);
  CHECK(list.topLevelItem(1)->text(2) == "7 × 5 × 4"_q);
  CHECK(list.topLevelItem(1)->text(3) == "u16"_q);
  list.setCurrentItem(list.topLevelItem(1));
  QTest::keyClick(&list, Qt::Key_Return);
  REQUIRE_SOON(test.model().hasData());
  CHECK(test.model().data().volume->shape() == VolumeShape{7, 5, 4, 1});
  CHECK(test.model().session().data.path == file + ":/ITKImags/0/VoxelData");
  CHECK(dialog() == nullptr);
  // Canceled, nothing changes.
  test.window->openPaths({toQt(file)});
  REQUIRE_SOON(dialog() != nullptr && dialog()->isVisible());
  QTest::keyClick(dialog(), Qt::Key_Escape);
  REQUIRE_SOON(dialog() == nullptr);
  CHECK(test.model().session().data.path == file + ":/ITKImags/0/VoxelData");
}
