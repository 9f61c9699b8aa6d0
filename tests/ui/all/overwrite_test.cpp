// Nothing is replaced unasked, and never what is open.

#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <fstream>

#include "core/base/paths.h"
#include "core/wavelet/job/wavelet_settings.h"
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

QMessageBox* question(TestWindow& test) { return test.window->findChild<QMessageBox*>(QStringLiteral("replaceFiles")); }

void answer(TestWindow& test, QMessageBox::StandardButton button) {
  REQUIRE(question(test) != nullptr);
  QTest::mouseClick(question(test)->button(button), Qt::LeftButton);
  REQUIRE(wait([&] { return question(test) == nullptr; }));
}

// An export as a user does it: type the name, press Export.
struct Exporting {
  Exporting(TestWindow& test, int what, const std::filesystem::path& path)
      : dialog(test::showExport(*test.window, what)),
        exported(&dialog, &ExportDialog::exported),
        failed(&dialog, &ExportDialog::failed) {
    auto* line = dialog.findChild<QLineEdit*>(QStringLiteral("exportPath"));
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, toQt(path.string()));
    start = dialog.findChild<QPushButton*>(QStringLiteral("exportStart"));
    REQUIRE(start->isEnabled());
    QTest::mouseClick(start, Qt::LeftButton);
  }
  bool ends() {
    return wait([&] { return !exported.isEmpty() || !failed.isEmpty(); });
  }
  [[nodiscard]] std::string message() const {
    return dialog.findChild<Notice*>(QStringLiteral("exportNotice"))->message().toStdString();
  }
  ExportDialog& dialog;
  QSignalSpy exported, failed;
  QPushButton* start;
};

}  // namespace

TEST_CASE("a name without a folder is exported where the last export went, and its whole path is told") {
  TestWindow test;
  const TemporaryFolder folder;
  QSettings().setValue(QStringLiteral("exportFolder"), toQt(folder.path().string()));
  test.setBank({"gaussian:sigma=1"});
  test.workshop.io->write(folder / "in.nrrd", makeSample("gyroid", 12, 1, {}), {});
  REQUIRE(test.openFile(folder / "in.nrrd"));
  REQUIRE(test.waitIdle());
  for (const auto& [what, name] : {std::pair{0, "bare.nrrd"}, std::pair{2, "bare.json"}}) {
    Exporting exporting(test, what, name);
    REQUIRE(exporting.ends());
    CHECK(exporting.message() == "Wrote " + (folder / name).string());
    CHECK(std::filesystem::exists(folder / name));
    CHECK_FALSE(std::filesystem::exists(name));
  }
}

TEST_CASE("what cannot be replaced at all is refused, not asked for") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 12));
  std::filesystem::create_directory(folder / "out.nrrd");
  Exporting exporting(test, 0, folder / "out.nrrd");
  REQUIRE(exporting.ends());
  CHECK(question(test) == nullptr);
  CHECK_THAT(exporting.message(), Catch::Matchers::ContainsSubstring("it is a folder"));
}

TEST_CASE("an export asks before it replaces a file, whatever is exported") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 12));
  const std::pair<int, const char*> kinds[] = {{0, "out.nrrd"}, {1, "view.png"}, {2, "work.json"}, {4, "time.csv"}};
  for (const auto& [what, name] : kinds) {
    INFO(name);
    const std::filesystem::path file = folder / name;
    writeTextFile(file, "precious");
    {
      Exporting no(test, what, file);
      answer(test, QMessageBox::Cancel);
      CHECK(readTextFile(file) == "precious");
      CHECK(no.exported.isEmpty());
      CHECK(no.failed.isEmpty());
      CHECK(no.start->isEnabled());
    }
    {
      Exporting yes(test, what, file);
      REQUIRE(question(test) != nullptr);
      CHECK(question(test)->informativeText() == toQt(file.string()));
      answer(test, QMessageBox::Yes);
      REQUIRE(yes.ends());
      CHECK(yes.exported.size() == 1);
      CHECK(readTextFile(file) != "precious");
    }
    // What was just written is asked for as well.
    const Exporting again(test, what, file);
    answer(test, QMessageBox::Cancel);
  }
}

TEST_CASE("one question for all files of an export") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1", "sobel:axis=x"});
  REQUIRE(test.openSample("gyroid", 12));
  for (const char* name : {"a-gaussian.raw", "a-sobel.nhdr"}) writeTextFile(folder / name, "precious");
  Exporting all(test, 0, folder / "a-{}.nhdr");
  REQUIRE(question(test) != nullptr);
  CHECK(question(test)->informativeText().split(QLatin1Char('\n')) ==
        QStringList{toQt((folder / "a-gaussian.raw").string()), toQt((folder / "a-sobel.nhdr").string())});
  answer(test, QMessageBox::Yes);
  REQUIRE(all.ends());
  CHECK(all.exported.size() == 1);
  CHECK(test.workshop.io->read((folder / "a-sobel.nhdr").string(), {}).volume.shape().nx == 12);
}

TEST_CASE("no export replaces what is open, in any room") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1"});
  const std::filesystem::path header = folder / "x.nhdr", data = folder / "x.raw", taps = folder / "taps.txt";
  test.workshop.io->write(header, makeSample("gyroid", 12, 1, {}), {});
  REQUIRE(test.openFile(header));
  REQUIRE(test.waitIdle());
  writeTextFile(taps, "1 2 1");
  WaveletSettings wavelet = test.model().settings<WaveletSettings>();
  wavelet.taps = taps.string();
  test.model().edit(wavelet);
  std::filesystem::create_symlink("x.raw", folder / "link.csv");
  const std::string before = readTextFile(header), voxels = readTextFile(data);
  const std::pair<int, std::filesystem::path> tries[] = {
      {0, header}, {0, folder / "x.json"}, {0, folder / "." / "x.nhdr"}, {1, data}, {4, folder / "link.csv"}, {4, taps},
      {2, header}};
  for (const auto& [what, file] : tries) {
    INFO(what << " " << file);
    Exporting refused(test, what, file);
    CHECK(question(test) == nullptr);
    CHECK(refused.failed.size() == 1);
    CHECK_THAT(refused.message(), Catch::Matchers::ContainsSubstring("which is open"));
  }
  test.window->saveTo(toQt(data.string()));
  auto& notice = test.find<Notice>("dataNotice");
  CHECK_THAT(notice.message().toStdString(), Catch::Matchers::ContainsSubstring("which is open"));
  CHECK(readTextFile(header) == before);
  CHECK(readTextFile(data) == voxels);
  CHECK(readTextFile(taps) == "1 2 1");
}

TEST_CASE("a message in the export dialog squashes nothing") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1", "sobel"});
  const std::filesystem::path header = folder / "x.nrrd";
  test.workshop.io->write(header, makeSample("gyroid", 12, 1, {}), {});
  REQUIRE(test.openFile(header));
  REQUIRE(test.waitIdle());
  Exporting refused(test, 0, header);
  REQUIRE(refused.failed.size() == 1);
  int seen = 0;
  for (const QLabel* label : refused.dialog.findChildren<QLabel*>()) {
    if (!label->isVisible() || !label->wordWrap() || label->text().isEmpty()) continue;
    INFO(label->text().toStdString());
    CHECK(wait([&] { return label->height() >= label->heightForWidth(label->width()); }));
    ++seen;
  }
  CHECK(seen == 2);  // the hint and the message
}

TEST_CASE("a session asks before it takes another file's place, not before its own") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 12));
  const QString mine = toQt((folder / "mine.json").string()), other = toQt((folder / "other.json").string());
  writeTextFile(folder / "other.json", "precious");
  const QSignalSpy saved(test.window.get(), &MainWindow::saved);
  test.window->saveTo(mine);
  REQUIRE(wait([&] { return saved.size() == 1; }));
  test.window->save();
  CHECK(question(test) == nullptr);
  REQUIRE(wait([&] { return saved.size() == 2; }));
  test.window->saveTo(other);
  answer(test, QMessageBox::Cancel);
  CHECK(readTextFile(folder / "other.json") == "precious");
  CHECK(test.model().path() == mine);
  test.window->saveTo(other);
  answer(test, QMessageBox::Yes);
  REQUIRE(wait([&] { return saved.size() == 3; }));
  CHECK(test.model().path() == other);
}

TEST_CASE("a configuration does not replace what is open, and asks for other files") {
  LatticeTest test;
  const TemporaryFolder folder;
  test.workshop.io->write(folder / "x.nrrd", makeSample("gyroid", 12, 1, {}), {});
  REQUIRE(test.openFile(folder / "x.nrrd"));
  test.window->enterRoom("lattice");
  REQUIRE(test.generate({4, 4, 4, 4}, 1));
  auto* setup = test.window->findChild<LatticeSetup*>();
  REQUIRE(setup != nullptr);
  const std::string before = readTextFile(folder / "x.nrrd");
  Q_EMIT setup->saveRequested(toQt((folder / "x.nrrd").string()));
  CHECK_THAT(test.message().toStdString(), Catch::Matchers::ContainsSubstring("which is open"));
  CHECK(readTextFile(folder / "x.nrrd") == before);
  const QSignalSpy saved(&test.lattices(), &LatticeController::savedTo);
  writeTextFile(folder / "old.nersc", "precious");
  Q_EMIT setup->saveRequested(toQt((folder / "old.nersc").string()));
  answer(test, QMessageBox::Cancel);
  CHECK(readTextFile(folder / "old.nersc") == "precious");
  Q_EMIT setup->saveRequested(toQt((folder / "old.nersc").string()));
  answer(test, QMessageBox::Yes);
  REQUIRE(wait([&] { return !saved.isEmpty(); }));
  CHECK(readTextFile(folder / "old.nersc").starts_with("BEGIN_HEADER"));
  // Now it is what is open.
  test.window->enterRoom("filter");
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.waitIdle());
  const Exporting refused(test, 4, folder / "old.nersc");
  CHECK_THAT(refused.message(), Catch::Matchers::ContainsSubstring("which is open"));
}

TEST_CASE("a screenshot does not replace what it shows") {
  const TemporaryFolder folder;
  writeTextFile(folder / "in.png", "precious");
  QProcess program;
  program.start(
      QString::fromStdString(builtProgram("stencilscope")),
      {toQt((folder / "in.png").string()), QStringLiteral("--screenshot"), toQt((folder / "." / "in.png").string())});
  REQUIRE(program.waitForFinished());
  CHECK(program.exitCode() == 2);
  CHECK_THAT(program.readAllStandardError().toStdString(), Catch::Matchers::ContainsSubstring("which is read"));
  CHECK(readTextFile(folder / "in.png") == "precious");
}
