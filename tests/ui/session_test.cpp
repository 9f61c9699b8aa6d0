// The session file and the engine choice.

#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QProcess>
#include <QRadioButton>

#include "core/base/paths.h"
#include "core/filter/families/recipe_text.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/views/volume_views.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("a session is saved and opened again") {
  const TemporaryFolder folder;
  const QString path = toQt((folder / "work.json").string());
  Session before;
  {
    TestWindow test;
    test.setBank({"gaussian:sigma=1.25", "sobel:axis=y"});
    REQUIRE(test.openSample("marschner-lobb", 20));
    test.editOption("sigma", Length{2.5, false});
    CHECK(test.model().dirty());
    ViewState view = test.model().view();
    view.crosshair = {3, 4, 5};
    view.layout = "coronal";
    view.shownFilter = "sobel";
    view.resultWindow = std::array<double, 2>{-1, 2};
    test.model().setView(view);
    test.useEngine("cpu:scalar");
    const QSignalSpy saved(test.window.get(), &MainWindow::saved);
    test.window->saveTo(path);
    REQUIRE_SOON(!saved.isEmpty());
    CHECK_FALSE(test.model().dirty());
    before = test.model().session();
  }
  TestWindow test;
  test.showFile(folder / "work.json");
  CHECK(test.model().session() == before);
  CHECK_FALSE(test.model().dirty());
  CHECK(test.views().crosshair() == VoxelIndex{3, 4, 5});
  CHECK(test.views().viewLayout() == VolumeViews::Layout::Coronal);
  CHECK(test.window->live().result()->report.engine == "cpu:scalar");
}

TEST_CASE("other data begin a session without a file, and the saved one stays as it is") {
  TestWindow test({"gaussian:sigma=1"});
  for (const char* name : {"mine.nrrd", "other.nrrd"})
    test.workshop.io->write(test.folder / name, Volume({12, 12, 12, 1}, ElementType::f32), {});
  REQUIRE(test.openFile(test.folder / "mine.nrrd"));
  const QString path = toQt((test.folder / "work.json").string());
  const QSignalSpy saved(test.window.get(), &MainWindow::saved);
  test.window->saveTo(path);
  REQUIRE_SOON(saved.size() == 1);
  const std::string before = readTextFile(test.folder / "work.json");
  REQUIRE(test.openFile(test.folder / "mine.nrrd"));
  CHECK(test.model().path() == path);
  SECTION("another file") { REQUIRE(test.openFile(test.folder / "other.nrrd")); }
  SECTION("a sample") { REQUIRE(test.openSample("gyroid", 12)); }
  SECTION("nothing, when they are closed") {
    test.model().setData({});
    CHECK_FALSE(test.model().hasData());
  }
  SECTION("data in memory, such as a field") {
    test.window->loader().take(std::make_shared<const Volume>(VolumeShape{4, 4, 4, 1}, ElementType::f32), {}, "field");
    CHECK(test.model().data().name == "field");
  }
  CHECK(test.model().path().isEmpty());
  CHECK_FALSE(test.window->windowTitle().contains("work.json"_q));
  test.window->save();
  CHECK(test.window->findChild<QFileDialog*>() != nullptr);  // under which name?
  CHECK(readTextFile(test.folder / "work.json") == before);
}

TEST_CASE("data that a session did not have are an unsaved change of it") {
  TestWindow test({"gaussian:sigma=1"});
  const QString path = toQt((test.folder / "work.json").string());
  const QSignalSpy saved(test.window.get(), &MainWindow::saved);
  test.window->saveTo(path);
  REQUIRE_SOON(saved.size() == 1);
  REQUIRE_FALSE(test.model().dirty());
  REQUIRE(test.openSample("gyroid", 12));
  CHECK(test.model().path() == path);
  CHECK(test.model().dirty());
}

TEST_CASE("sessions are written one after the other, and edits meanwhile stay unsaved") {
  TestWindow test({"gaussian:sigma=1"});
  const QString path = toQt((test.folder / "work.json").string());
  const auto edit = [&](double sigma) { test.editOption("sigma", Length{sigma, false}); };
  const auto sigma = [&] {
    return std::get<Length>(readSession(fromQt(path)).bank.filters.front().parameters.at("sigma")).value;
  };
  const QSignalSpy saved(test.window.get(), &MainWindow::saved);
  edit(2);
  test.window->saveTo(path);
  edit(3);  // nothing of the event loop has run
  REQUIRE_SOON(saved.size() == 1);
  CHECK(sigma() == 2);
  CHECK(test.model().path() == path);
  CHECK(test.model().dirty());
  test.model().undoStack().undo();
  CHECK(test.model().dirty());  // it was marked clean nowhere
  edit(4);
  for (int i = 5; i < 12; ++i) {
    test.window->save();
    edit(i);
  }
  test.window->save();
  CHECK(test.window->findChild<QFileDialog*>() == nullptr);
  CHECK_FALSE(test.window->close());  // not before they are written
  REQUIRE_SOON(!test.window->isVisible());
  CHECK(saved.size() == 9);
  CHECK(sigma() == 11);
  CHECK_FALSE(test.model().dirty());
}

TEST_CASE("a session says what this program does not know of it, and keeps that") {
  const TemporaryFolder folder;
  const std::string bank =
      R"("schema": "stencilscope.session/1", "bank": {"schema": "stencilscope.bank/1", "filters": []})";
  writeTextFile(folder / "later.json",
                "{" + bank + R"(, "spectra": {"window": "hann"}, "view": {"room": "spectra", "zoom": 2}})");
  writeTextFile(folder / "plain.json", "{" + bank + R"(, "view": {"room": "ladders", "zoom": 2}})");
  TestWindow test;
  auto& note = test.find<OfferBar>("unknownParts");
  REQUIRE(test.openFile(folder / "later.json"));
  REQUIRE(note.isVisible());
  CHECK_THAT(fromQt(note.message()), ContainsSubstring("does not know: spectra. They stay"));
  CHECK(fromQt(test.window->room()) == "filter");
  CHECK_FALSE(test.model().dirty());
  test.save(toQt((folder / "again.json").string()));
  CHECK_THAT(readTextFile(folder / "again.json"), ContainsSubstring(R"("window": "hann")"));
  REQUIRE(test.openFile(folder / "plain.json"));
  CHECK_FALSE(note.isVisible());
  CHECK(fromQt(test.window->room()) == "ladders");
}

TEST_CASE("a screenshot of a session ends, whether its data are there, are missing or are none") {
  const TemporaryFolder folder;
  const auto taken = [&](const char* data) {
    writeTextFile(folder / "of.json",
                  std::string(R"({"schema": "stencilscope.session/1", "bank": {"schema": "stencilscope.bank/1", )") +
                      R"("filters": []}, "data": )" + data + "}");
    QProcess program;
    program.start(QString::fromStdString(builtProgram("stencilscope")),
                  {toQt((folder / "of.json").string()), "--screenshot"_q, toQt((folder / "shot.png").string())});
    REQUIRE(program.waitForFinished(kPatienceMilliseconds));
    const bool written = std::filesystem::remove(folder / "shot.png");
    CHECK(written == (program.exitCode() == 0));
    return program.readAllStandardError().toStdString();
  };
  CHECK_THAT(taken(R"({"sample": "gyroid", "size": 12})"), !ContainsSubstring("error: "));
  CHECK_THAT(taken(R"({"sample": "nothing", "size": 12})"), ContainsSubstring("error: there is no sample nothing"));
  CHECK_THAT(taken("{}"), !ContainsSubstring("error: "));
}

TEST_CASE("a bank with a key that occurs twice is refused") {
  const TemporaryFolder folder;
  writeTextFile(folder / "bank.json", R"({"schema": "stencilscope.bank/1", "filters": [{"name": "g",)"
                                      R"( "type": "gaussian", "params": {"sigma": 1, "sigma": 3}}]})");
  TestWindow test;
  const QSignalSpy failed(&test.window->loader(), &DataLoader::failed);
  CHECK_FALSE(test.openFile(folder / "bank.json"));
  REQUIRE(failed.size() == 1);
  CHECK_THAT(fromQt(failed.front().front().toString()), ContainsSubstring("bank.json: \"sigma\" occurs twice"));
}

TEST_CASE("a screenshot of anything ends, in every room") {
  const TemporaryFolder folder;
  writeTextFile(folder / "bank.json",
                R"({"schema": "stencilscope.bank/1", "filters": [{"name": "g", "type": "gaussian", "params": {}}]})");
  writeTextFile(folder / "capsule.json", R"({"schema": "stencilscope.capsule/1"})");
  writeTextFile(folder / "ladder.json", R"({"schema": "stencilscope.bench/1", "results": []})");
  writeTextFile(folder / "report.html", "<html></html>");
  const auto taken = [&](const QStringList& options) {
    QProcess program;
    const QString shot = toQt((folder / "shot.png").string());
    program.start(QString::fromStdString(builtProgram("stencilscope")), options + QStringList{"--screenshot"_q, shot});
    INFO(options.join(u' ').toStdString());
    REQUIRE(program.waitForFinished(kPatienceMilliseconds));
    CHECK(std::filesystem::remove(folder / "shot.png") == (program.exitCode() == 0));
    return program.exitCode() == 0 ? std::string() : program.readAllStandardError().toStdString();
  };
  const QString bank = toQt((folder / "bank.json").string()), room = "--room"_q;
  CHECK(taken({bank}).empty());
  for (const char* each : {"compare", "ladders"}) CHECK(taken({bank, room, QLatin1String(each)}).empty());
  for (const char* other : {"capsule.json", "ladder.json", "report.html"})
    CHECK_THAT(taken({toQt((folder / other).string())}), ContainsSubstring("error: cannot read"));
#ifndef SSCOPE_WITHOUT_LATTICE
  CHECK(taken({room, "lattice"_q}).empty());
#endif
}

TEST_CASE("closing asks when changes were not saved, and only then") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 12);
  auto* window = test.window.get();
  const auto question = [&] { return window->findChild<QMessageBox*>("unsavedChanges"_q); };
  const auto edit = [&](double sigma) { test.editOption("sigma", Length{sigma, false}); };
  const auto answer = [&](QMessageBox::StandardButton button) {
    REQUIRE(question() != nullptr);
    QTest::mouseClick(question()->button(button), Qt::LeftButton);
  };

  SECTION("nothing changed") {
    CHECK(window->close());
    CHECK(question() == nullptr);
  }
  SECTION("changed and undone") {
    edit(2);
    test.model().undoStack().undo();
    CHECK(window->close());
  }
  SECTION("cancel leaves everything as it was") {
    edit(2);
    CHECK_FALSE(window->close());
    answer(QMessageBox::Cancel);
    REQUIRE_SOON(question() == nullptr);
    CHECK(window->isVisible());
    CHECK(test.model().dirty());
    CHECK_FALSE(window->close());  // and it asks again
    CHECK(question() != nullptr);
  }
  SECTION("discard closes") {
    edit(2);
    CHECK_FALSE(window->close());
    answer(QMessageBox::Discard);
    CHECK_SOON(!window->isVisible());
  }
  SECTION("save writes the session and closes") {
    const QString path = toQt((test.folder / "work.json").string());
    const QSignalSpy saved(window, &MainWindow::saved);
    window->saveTo(path);
    REQUIRE_SOON(!saved.isEmpty());
    edit(3);
    CHECK_FALSE(window->close());
    answer(QMessageBox::Save);
    CHECK_SOON(!window->isVisible());
    CHECK(std::get<Length>(readSession(fromQt(path)).bank.filters.front().parameters.at("sigma")).value == 3);
  }
  SECTION("a session that cannot be saved keeps the window open") {
    const std::filesystem::path gone = test.folder / "gone";
    std::filesystem::create_directory(gone);
    const QSignalSpy saved(window, &MainWindow::saved);
    window->saveTo(toQt((gone / "work.json").string()));
    REQUIRE_SOON(!saved.isEmpty());
    std::filesystem::remove_all(gone);
    edit(3);
    CHECK_FALSE(window->close());
    answer(QMessageBox::Save);
    auto& notice = test.find<Notice>("dataNotice");
    REQUIRE_SOON(notice.isVisible());
    CHECK(window->isVisible());
  }
}

TEST_CASE("opening another session asks when changes were not saved, and only then") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 12);
  auto* window = test.window.get();
  Session other = test.model().session();
  other.bank = FilterBank{};
  other.bank.filters.push_back(parseFilterSpec("sobel:axis=y"));
  writeSession(test.folder / "other.json", other);
  const QString mine = toQt((test.folder / "mine.json").string());
  const QSignalSpy loaded(&window->loader(), &DataLoader::loaded);
  const QSignalSpy canceled(&window->loader(), &DataLoader::canceled);
  const auto question = [&] { return window->findChild<QMessageBox*>("unsavedChanges"_q); };
  const auto family = [&] { return test.model().bank().filters.front().family; };
  const auto edit = [&](double sigma) { test.editOption("sigma", Length{sigma, false}); };
  const auto openOther = [&] { window->loader().open(toQt((test.folder / "other.json").string())); };
  const auto answer = [&](QMessageBox::StandardButton button) {
    REQUIRE_SOON(question() != nullptr);
    CHECK(family() == "gaussian");  // nothing is replaced before the answer
    CHECK(loaded.isEmpty());
    QTest::mouseClick(question()->button(button), Qt::LeftButton);
  };

  SECTION("nothing changed") {
    openOther();
    REQUIRE_SOON(!loaded.isEmpty());
    CHECK(question() == nullptr);
    CHECK(family() == "sobel");
  }
  SECTION("data and banks replace no session") {
    edit(2);
    REQUIRE(test.openSample("gyroid", 14));
    CHECK(question() == nullptr);
    CHECK(test.model().dirty());
  }
  SECTION("cancel leaves everything as it was") {
    edit(2);
    openOther();
    answer(QMessageBox::Cancel);
    REQUIRE_SOON(question() == nullptr);
    CHECK(canceled.size() == 1);
    CHECK_FALSE(window->loader().busy());
    CHECK(family() == "gaussian");
    CHECK(test.model().dirty());
    CHECK(test.model().path().isEmpty());
    openOther();  // and it asks again
    REQUIRE_SOON(question() != nullptr);
  }
  SECTION("discard opens it, and closing asks nothing more") {
    edit(2);
    openOther();
    answer(QMessageBox::Discard);
    REQUIRE_SOON(!loaded.isEmpty());
    CHECK(family() == "sobel");
    CHECK_FALSE(test.model().dirty());
    CHECK(test.model().path() == toQt((test.folder / "other.json").string()));
    test.model().editBank(FilterBank{}, "clear"_q);
    CHECK_FALSE(window->close());  // what was discarded was the other session
  }
  SECTION("save writes the open one first") {
    const QSignalSpy saved(window, &MainWindow::saved);
    window->saveTo(mine);
    REQUIRE_SOON(!saved.isEmpty());
    edit(3);
    openOther();
    answer(QMessageBox::Save);
    REQUIRE_SOON(!loaded.isEmpty());
    CHECK(family() == "sobel");
    CHECK(std::get<Length>(readSession(fromQt(mine)).bank.filters.front().parameters.at("sigma")).value == 3);
  }
  SECTION("save, and the same one is opened again as it was saved") {
    const QSignalSpy saved(window, &MainWindow::saved);
    window->saveTo(mine);
    REQUIRE_SOON(!saved.isEmpty());
    edit(3);
    window->loader().open(mine);
    answer(QMessageBox::Save);
    REQUIRE_SOON(!loaded.isEmpty() && !window->loader().busy());
    CHECK(std::get<Length>(test.model().bank().filters.front().parameters.at("sigma")).value == 3);
    CHECK(test.model().path() == mine);
    CHECK_FALSE(test.model().dirty());
  }
  SECTION("the file that is being written is read when it is there") {
    const QSignalSpy saved(window, &MainWindow::saved);
    edit(4);
    window->saveTo(mine);
    window->loader().open(mine);
    CHECK(window->loader().busy());
    REQUIRE_SOON(!loaded.isEmpty() && !window->loader().busy());
    CHECK(saved.size() == 1);
    CHECK(question() == nullptr);
    CHECK(std::get<Length>(test.model().bank().filters.front().parameters.at("sigma")).value == 4);
  }
  SECTION("a session that cannot be saved stays open") {
    const std::filesystem::path gone = test.folder / "gone";
    std::filesystem::create_directory(gone);
    const QSignalSpy saved(window, &MainWindow::saved);
    window->saveTo(toQt((gone / "work.json").string()));
    REQUIRE_SOON(!saved.isEmpty());
    std::filesystem::remove_all(gone);
    edit(3);
    openOther();
    answer(QMessageBox::Save);
    auto& notice = test.find<Notice>("dataNotice");
    REQUIRE_SOON(notice.isVisible());
    CHECK_FALSE(window->loader().busy());
    CHECK(family() == "gaussian");
    CHECK(test.model().dirty());
  }
}

TEST_CASE("absent engines are listed with their reason") {
  TestWindow test;
  int absent = 0;
  for (const EngineInfo& info : test.workshop.engines.infos()) {
    if (info.available()) continue;
    ++absent;
    auto& label = test.find<QLabel>(("absent-" + info.id).c_str());
    CHECK_THAT(label.text().toStdString(), ContainsSubstring(info.absentReason));
    CHECK(test.window->findChild<QRadioButton*>(toQt("run-" + info.id)) == nullptr);
  }
  if (absent == 0) SSCOPE_SKIP("every engine is there on this machine");
}

TEST_CASE("a click on an engine runs the bank there") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  auto& radio = test.find<QRadioButton>("run-cpu:scalar");
  radio.click();
  REQUIRE(test.waitIdle());
  CHECK(test.window->live().result()->report.engine == "cpu:scalar");
  test.model().undoStack().undo();
  CHECK(test.model().session().engine.empty());
  REQUIRE(test.waitIdle());
  CHECK(test.window->live().result()->report.engine == test.workshop.engines.preferred().info().id);
}

TEST_CASE("the main job can be done from the keyboard") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  auto* window = test.window.get();
  test.views().setFocus();
  QTest::keyClick(window, Qt::Key_Space);
  CHECK(test.model().view().show == "source");
  QTest::keyClick(window, Qt::Key_Space);
  CHECK(test.model().view().show == "result");
  const char* layouts[] = {"axial", "coronal", "sagittal", "volume"};
  for (int i = 0; i < 4; ++i) {
    QTest::keyClick(window, static_cast<Qt::Key>(Qt::Key_1 + i));
    CHECK(test.model().view().layout == layouts[i]);
  }
  QTest::keyClick(window, Qt::Key_0);
  CHECK(test.model().view().layout == "all");
  const std::int64_t z = test.model().crosshair()[2];
  QTest::keyClick(window, Qt::Key_Up);
  CHECK(test.model().crosshair()[2] == z + 1);
  QTest::keyClick(window, Qt::Key_Down);
  CHECK(test.model().crosshair()[2] == z);
  QTest::keyClick(window, Qt::Key_D, Qt::ControlModifier);
  REQUIRE(test.model().bank().filters.size() == 2);
  CHECK(test.model().bank().filters[1].name == "gaussian 2");
  QTest::keyClick(window, Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.model().bank().filters.size() == 1);
}
