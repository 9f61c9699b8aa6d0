// The window asks before it replaces a file, and never replaces what is open. Which files those are: tests/core.

#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <tuple>
#include <utility>

#include "core/base/paths.h"
#include "datasets/samples.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"
#include "tests/ui/lattice/lattice_window.h"
#include "ui/panels/data_panel.h"
#include "ui/rooms/lattice/lattice_setup.h"
#include "ui/window/export_dialog.h"

using namespace sscope;
using namespace sscope::test;

namespace {

QMessageBox* question(TestWindow& test) { return test.window->findChild<QMessageBox*>("replaceFiles"_q); }

void answer(TestWindow& test, QMessageBox::StandardButton button) {
  REQUIRE(question(test) != nullptr);
  QTest::mouseClick(question(test)->button(button), Qt::LeftButton);
  REQUIRE_SOON(question(test) == nullptr);
}

// An export as a user does it: type the name, press Export.
struct Exporting {
  Exporting(TestWindow& test, int what, const std::filesystem::path& path)
      : dialog(test::showExport(*test.window, what)),
        exported(&dialog, &ExportDialog::exported),
        failed(&dialog, &ExportDialog::failed) {
    auto* line = dialog.findChild<QLineEdit*>("exportPath"_q);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, toQt(path.string()));
    start = dialog.findChild<QPushButton*>("exportStart"_q);
    REQUIRE(start->isEnabled());
    QTest::mouseClick(start, Qt::LeftButton);
  }
  // The message at the end.
  [[nodiscard]] std::string message() {
    REQUIRE_SOON(!exported.isEmpty() || !failed.isEmpty());
    return dialog.findChild<Notice*>("exportNotice"_q)->message().toStdString();
  }
  ExportDialog& dialog;
  QSignalSpy exported, failed;
  QPushButton* start;
};

// A window with x.nhdr and x.raw open.
struct OpenPair : LatticeTest {
  OpenPair() {
    window->enterRoom("filter");
    setBank({"gaussian:sigma=1", "sobel"});
    workshop.io->write(folder / "x.nhdr", makeSample("gyroid", 12, 1, {}), {});
    showFile(folder / "x.nhdr");
  }
};

}  // namespace

TEST_CASE("a name without a folder is exported where the last export went, and the message has its whole path") {
  OpenPair test;
  QSettings().setValue("exportFolder"_q, toQt(test.folder.path().string()));
  for (const auto& [what, name] : {std::pair{0, "bare.nrrd"}, std::pair{2, "bare.json"}}) {
    CHECK(Exporting(test, what, name).message() == "Wrote " + (test.folder / name).string());
    CHECK(std::filesystem::exists(test.folder / name));
    CHECK_FALSE(std::filesystem::exists(name));
  }
}

TEST_CASE("an export asks once before it replaces files, whatever is exported") {
  OpenPair test;
  const std::pair<int, const char*> kinds[] = {{0, "out.nrrd"}, {1, "view.png"}, {2, "work.json"}, {4, "time.csv"}};
  for (const auto& [what, name] : kinds) {
    INFO(name);
    const std::filesystem::path file = test.folder / name;
    writeTextFile(file, "precious");
    {
      Exporting no(test, what, file);
      answer(test, QMessageBox::Cancel);
      CHECK(readTextFile(file) == "precious");
      CHECK((no.exported.isEmpty() && no.failed.isEmpty() && no.start->isEnabled()));
    }
    Exporting yes(test, what, file);
    REQUIRE(question(test) != nullptr);
    CHECK(question(test)->informativeText() == toQt(file.string()));
    answer(test, QMessageBox::Yes);
    CHECK_THAT(yes.message(), StartsWith("Wrote "));
    CHECK(readTextFile(file) != "precious");
  }
  // One question for all files of an export.
  for (const char* name : {"a-gaussian.raw", "a-sobel.nhdr"}) writeTextFile(test.folder / name, "precious");
  Exporting all(test, 0, test.folder / "a-{}.nhdr");
  REQUIRE(question(test) != nullptr);
  CHECK(question(test)->informativeText().split(u'\n') ==
        QStringList{toQt((test.folder / "a-gaussian.raw").string()), toQt((test.folder / "a-sobel.nhdr").string())});
  answer(test, QMessageBox::Yes);
  CHECK_THAT(all.message(), StartsWith("Wrote "));
  CHECK(test.workshop.io->read((test.folder / "a-sobel.nhdr").string(), {}).volume.shape().nx == 12);
}

TEST_CASE("files that are open or cannot be replaced are refused without a question, and the message fits") {
  OpenPair test;
  std::filesystem::create_directory(test.folder / "out.nrrd");
  const std::string before = readTextFile(test.folder / "x.raw");
  const std::tuple<int, const char*, const char*> tries[] = {
      {0, "x.nhdr", "which is open"}, {0, "x.json", "which is open"}, {1, "x.raw", "which is open"},
      {2, "x.nhdr", "which is open"}, {4, "x.raw", "which is open"},  {0, "out.nrrd", "it is a folder"}};
  for (const auto& [what, name, part] : tries) {
    CAPTURE(what, name);
    Exporting refused(test, what, test.folder / name);
    CHECK(question(test) == nullptr);
    CHECK_THAT(refused.message(), ContainsSubstring(part));
    for (const QLabel* label : refused.dialog.findChildren<QLabel*>())
      if (label->isVisible() && label->wordWrap() && !label->text().isEmpty())
        CHECK_SOON(label->height() >= label->heightForWidth(label->width()));
  }
  test.window->saveTo(toQt((test.folder / "x.raw").string()));
  CHECK_THAT(test.find<Notice>("dataNotice").message().toStdString(), ContainsSubstring("which is open"));
  CHECK(readTextFile(test.folder / "x.raw") == before);
}

TEST_CASE("a session asks before it takes another file's place, not before its own") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 12);
  const QString mine = toQt((test.folder / "mine.json").string()), other = toQt((test.folder / "other.json").string());
  writeTextFile(test.folder / "other.json", "precious");
  const QSignalSpy saved(test.window.get(), &MainWindow::saved);
  test.window->saveTo(mine);
  REQUIRE_SOON(saved.size() == 1);
  test.window->save();
  CHECK(question(test) == nullptr);
  REQUIRE_SOON(saved.size() == 2);
  test.window->saveTo(other);
  answer(test, QMessageBox::Cancel);
  CHECK(readTextFile(test.folder / "other.json") == "precious");
  CHECK(test.model().path() == mine);
  test.window->saveTo(other);
  answer(test, QMessageBox::Yes);
  REQUIRE_SOON(saved.size() == 3);
  CHECK(test.model().path() == other);
}

TEST_CASE("a configuration does not replace what is open, and asks for other files") {
  OpenPair test;
  test.window->enterRoom("lattice");
  REQUIRE(test.generate({4, 4, 4, 4}, 1));
  auto& setup = *test.window->findChild<LatticeSetup*>();
  const auto saveAs = [&](const char* name) { Q_EMIT setup.saveRequested(toQt((test.folder / name).string())); };
  const std::string before = readTextFile(test.folder / "x.raw");
  saveAs("x.raw");
  CHECK_THAT(test.message().toStdString(), ContainsSubstring("which is open"));
  CHECK(readTextFile(test.folder / "x.raw") == before);
  const QSignalSpy saved(&test.lattices(), &LatticeController::savedTo);
  writeTextFile(test.folder / "old.nersc", "precious");
  saveAs("old.nersc");
  answer(test, QMessageBox::Cancel);
  CHECK(readTextFile(test.folder / "old.nersc") == "precious");
  saveAs("old.nersc");
  answer(test, QMessageBox::Yes);
  REQUIRE_SOON(!saved.isEmpty());
  CHECK(readTextFile(test.folder / "old.nersc").starts_with("BEGIN_HEADER"));
  // Now it is open itself.
  test.window->enterRoom("filter");
  REQUIRE(test.waitIdle());
  CHECK_THAT(Exporting(test, 4, test.folder / "old.nersc").message(), ContainsSubstring("which is open"));
}

TEST_CASE_METHOD(InFolder, "a screenshot does not replace what it shows") {
  writeTextFile(folder / "in.png", "precious");
  QProcess program;
  program.start(QString::fromStdString(builtProgram("stencilscope")),
                {toQt((folder / "in.png").string()), "--screenshot"_q, toQt((folder / "." / "in.png").string())});
  REQUIRE(program.waitForFinished());
  CHECK(program.exitCode() == 2);
  CHECK_THAT(program.readAllStandardError().toStdString(), ContainsSubstring("which is read"));
  CHECK(readTextFile(folder / "in.png") == "precious");
}
