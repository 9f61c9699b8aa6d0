// What leaves the Lattice room: fields for the Filter room, files of fields, pictures and curves.

#include <QMessageBox>
#include <QSlider>
#include <QToolButton>
#include <fstream>

#include "tests/support/catch.h"
#include "tests/ui/lattice/lattice_window.h"
#include "ui/window/export_dialog.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("a field goes to the Filter room as its data, without a unit") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 6}, 2));
  test.find<QSlider>("latticeTime").setValue(4);
  const auto field = test.lattices().field();
  test.press("latticeSend");
  REQUIRE(test.window->room() == "filter");
  REQUIRE(test.model().hasData());
  const Volume& volume = *test.model().data().volume;
  CHECK(volume.shape() == VolumeShape{4, 4, 4, 1});
  CHECK(volume.value(1, 2, 3) == field->volume->value(1, 2, 3, 4));
  CHECK(volume.geometry().unit.empty());
  CHECK(test.window->windowTitle().contains("Topological charge density, t = 4"_q));
  CHECK(test.model().session().data.empty());
}

TEST_CASE("sending a field asks when a changed session would lose its data, and only then") {
  LatticeTest test;
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 12));
  test.window->enterRoom("lattice");
  REQUIRE(test.generate({4, 4, 4, 6}, 2));
  auto* window = test.window.get();
  const auto question = [&] { return window->findChild<QMessageBox*>("unsavedChanges"_q); };
  const auto edit = [&](double sigma) { test.editOption("sigma", Length{sigma, false}); };
  const auto sent = [&] { return test.model().session().data.empty(); };
  const auto answer = [&](QMessageBox::StandardButton button) {
    REQUIRE(question() != nullptr);
    CHECK_FALSE(sent());
    QTest::mouseClick(question()->button(button), Qt::LeftButton);
  };
  auto& send = test.find<QToolButton>("latticeSend");

  SECTION("nothing was changed") {
    send.click();
    CHECK(question() == nullptr);
    CHECK(sent());
    // What was sent before can be sent again.
    edit(2);
    window->enterRoom("lattice");
    send.click();
    CHECK(question() == nullptr);
  }
  SECTION("cancel leaves everything as it was") {
    edit(2);
    send.click();
    answer(QMessageBox::Cancel);
    REQUIRE_SOON(question() == nullptr);
    CHECK_FALSE(sent());
    CHECK(window->room() == "lattice");
  }
  SECTION("discard sends it") {
    edit(2);
    send.click();
    answer(QMessageBox::Discard);
    REQUIRE_SOON(sent());
    CHECK(window->room() == "filter");
  }
  SECTION("save writes the session with its data first") {
    const TemporaryFolder folder;
    const QString path = toQt((folder / "work.json").string());
    const QSignalSpy saved(window, &MainWindow::saved);
    window->saveTo(path);
    REQUIRE_SOON(!saved.isEmpty());
    edit(3);
    send.click();
    answer(QMessageBox::Save);
    REQUIRE_SOON(sent());
    CHECK(readSession(fromQt(path)).data.sample == "gyroid");
  }
}

TEST_CASE("fields, pictures and curves are exported") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 6}, 2));
  test.find<QSlider>("latticeTime").setValue(2);
  REQUIRE(exportTo(test, 0, test.folder / "slice.nrrd").size() == 1);
  REQUIRE(exportTo(test, 1, test.folder / "all.nrrd").size() == 1);
  const auto field = test.lattices().field();
  const Volume slice = test.workshop.io->read((test.folder / "slice.nrrd").string(), {}).volume;
  CHECK(slice.shape() == VolumeShape{4, 4, 4, 1});
  CHECK(slice.value(3, 2, 1) == field->volume->value(3, 2, 1, 2));
  const Volume all = test.workshop.io->read((test.folder / "all.nrrd").string(), {}).volume;
  CHECK(all.shape() == field->volume->shape());
  CHECK(all.value(3, 2, 1, 5) == field->volume->value(3, 2, 1, 5));
  REQUIRE(exportTo(test, 0, test.folder / "slice.vti").size() == 1);
  CHECK(test.workshop.io->read((test.folder / "slice.vti").string(), {}).volume.value(3, 2, 1) == slice.value(3, 2, 1));
  REQUIRE(exportTo(test, 2, test.folder / "views.png").size() == 1);
  // Below the pictures stands which color is which value.
  const QImage views(toQt((test.folder / "views.png").string()));
  REQUIRE(views.height() > test.fields().views().height());
  int blue = 0;
  for (int y = test.fields().views().height(); y < views.height(); ++y)
    for (int x = 0; x < views.width(); ++x)
      if (qBlue(views.pixel(x, y)) - qRed(views.pixel(x, y)) > 100) ++blue;
  CHECK(blue > 50);
  REQUIRE(exportTo(test, 3, test.folder / "flow.csv").size() == 1);
  std::ifstream csv(test.folder / "flow.csv");
  std::string line;
  std::getline(csv, line);
  CHECK(line == "t,t2_energy,energy,charge,plaquette");
  CHECK(exportTo(test, 0, "/no/such/folder/slice.nrrd").isEmpty());
}
