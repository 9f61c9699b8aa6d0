// What was open when the program was killed is offered at the next start.

#include <signal.h>

#include <QMessageBox>
#include <QProcess>
#include <QPushButton>

#include "core/base/paths.h"
#include "core/filter/families/recipe_text.h"
#include "core/session/kept_session.h"
#include "core/wavelet/job/wavelet_settings.h"
#include "datasets/samples.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"
#include "tests/ui/test_window.h"
#include "ui/base/text.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> keptIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code))
    if (entry.path().extension() == ".json" && !entry.path().filename().string().starts_with('.'))
      files.push_back(entry.path());
  return files;
}

// The real program, with a state folder of its own.
struct Program {
  Program(const fs::path& state, const QStringList& arguments) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("XDG_STATE_HOME"_q, toQt(state.string()));
    process.setProcessEnvironment(environment);
    process.start(QString::fromStdString(builtProgram("stencilscope")), arguments);
    REQUIRE(process.waitForStarted());
  }
  ~Program() {
    process.kill();
    process.waitForFinished();
  }
  // As the system ends it.
  void terminate() {
    REQUIRE(::kill(static_cast<pid_t>(process.processId()), SIGTERM) == 0);
    REQUIRE(process.waitForFinished());
    CHECK(process.exitStatus() == QProcess::NormalExit);
    CHECK(process.exitCode() == 0);
  }
  void kill() {
    REQUIRE(::kill(static_cast<pid_t>(process.processId()), SIGKILL) == 0);
    REQUIRE(process.waitForFinished());
    CHECK(process.exitStatus() == QProcess::CrashExit);
  }
  QProcess process;
};

FilterBank bankOf(double sigma) {
  FilterBank bank;
  bank.filters = {parseFilterSpec("sobel:axis=z"), parseFilterSpec("gaussian:sigma=3")};
  bank.filters[1].parameters["sigma"] = Length{sigma, false};
  return bank;
}

fs::path writeUnsaved(const TestWindow& test, const TemporaryFolder& folder) {
  test.workshop.io->write(folder / "x.nrrd", makeSample("gyroid", 12, 1, {}), {});
  Session session;
  session.data.path = (folder / "x.nrrd").string();
  session.bank = bankOf(3);
  WaveletSettings wavelet;
  wavelet.levels = 2;
  session.put(wavelet);
  writeSession((folder / "s.json").string(), session);
  return folder / "s.json";
}

}  // namespace

TEST_CASE("what the program had open when it was killed is offered and restored") {
  TestWindow test;
  const TemporaryFolder folder;
  const fs::path session = writeUnsaved(test, folder), running = folder / "stencilscope" / "running";
  {
    Program program(folder.path(), {toQt(session.string())});
    // Kept with its data: the bank alone is there earlier.
    REQUIRE(wait([&] {
      for (const fs::path& file : keptIn(running))
        if (readTextFile(file).find("x.nrrd") != std::string::npos) return true;
      return false;
    }));
    // While it lives another window offers nothing.
    test.window->keepSession(running);
    CHECK_FALSE(test.find<OfferBar>("leftSession").isVisible());
    test.window.reset();
    program.kill();
  }
  TestWindow next;
  next.setBank({"box:size=3"});
  next.window->keepSession(running);
  auto& offer = next.find<OfferBar>("leftSession");
  REQUIRE(offer.isVisible());
  CHECK_THAT(offer.message().toStdString(), ContainsSubstring("x.nrrd, 2 filters"));
  CHECK(next.model().bank().filters.size() == 1);  // nothing is done unasked
  // The sentence lies beside its buttons, not over them, in a small window, too.
  for (const QSize size : {QSize(1400, 900), QSize(1000, 700)}) {
    next.window->resize(size);
    for (const char* name : {"leftRestore", "leftDiscard"}) {
      auto& button = next.find<QPushButton>(name);
      INFO(name << " in a window " << next.window->width() << " wide");
      CHECK(button.isVisible());
      CHECK_SOON(next.window->childAt(button.mapTo(next.window.get(), button.rect().center())) == &button);
    }
  }
  SECTION("restored") {
    const QSignalSpy restored(&next.window->loader(), &DataLoader::sessionRestored);
    QTest::mouseClick(&next.find<QPushButton>("leftRestore"), Qt::LeftButton);
    REQUIRE_SOON(!restored.isEmpty());
    REQUIRE(next.waitIdle());
    CHECK(next.model().bank() == bankOf(3));
    CHECK(next.model().settings<WaveletSettings>().levels == 2);
    CHECK(next.model().session().data.path == (folder / "x.nrrd").string());
    CHECK(next.model().path() == toQt(session.string()));
    CHECK_FALSE(next.model().dirty());
    CHECK_FALSE(offer.isVisible());
    // The old file went, this window's own is there.
    CHECK(keptIn(running).size() == 1);
    CHECK(next.window->close());
    CHECK(fs::is_empty(running));
  }
  SECTION("discarded") {
    QTest::mouseClick(&next.find<QPushButton>("leftDiscard"), Qt::LeftButton);
    CHECK_FALSE(offer.isVisible());
    CHECK(keptIn(running).empty());
    CHECK(next.model().bank().filters.size() == 1);
  }
  SECTION("put off, it is offered again") {
    offer.clear();
    next.window.reset();
    CHECK(LeftSession::find(running));
  }
}

TEST_CASE("changes are kept a moment after they were made, and a clean end leaves none") {
  TestWindow test;
  test.window->keepSession(test.folder.path());
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 12));
  test.model().editBank(bankOf(7), "edit"_q);
  const auto kept = [&](const char* what) {
    const auto files = keptIn(test.folder.path());
    return files.size() == 1 && readTextFile(files.front()).find(what) != std::string::npos;
  };
  REQUIRE_SOON(kept("\"sigma\": 7"));
  CHECK(kept("\"changed\": true"));
  test.model().editBank(bankOf(9), "edit"_q);
  REQUIRE_SOON(kept("\"sigma\": 9"));
  // A sample with nothing done to it is not worth it.
  while (test.model().undoStack().canUndo()) test.model().undoStack().undo();
  REQUIRE_SOON(keptIn(test.folder.path()).empty());
  test.model().undoStack().redo();
  REQUIRE_SOON(kept("\"sigma\": 7"));
  CHECK_FALSE(test.window->close());
  auto& question = test.find<QMessageBox>("unsavedChanges");
  CHECK(kept("\"sigma\": 7"));  // not before the answer
  QTest::mouseClick(question.button(QMessageBox::Discard), Qt::LeftButton);
  REQUIRE_SOON(!test.window->isVisible());
  CHECK(fs::is_empty(test.folder.path()));
}

TEST_CASE("unsaved work that is restored is still unsaved, and data that are gone are told") {
  const TemporaryFolder folder;
  KeptSession kept;
  kept.session.bank = bankOf(4);
  kept.session.data.path = (folder / "gone.nrrd").string();
  kept.changed = true;
  TestWindow test({"box:size=3"});
  { SessionKeeper(folder.path()).keep(kept); }
  test.window->keepSession(folder.path());
  const QSignalSpy restored(&test.window->loader(), &DataLoader::sessionRestored);
  test.click("leftRestore");
  REQUIRE_SOON(!restored.isEmpty());
  CHECK(test.model().bank() == bankOf(4));
  CHECK(test.model().dirty());
  CHECK(test.model().path().isEmpty());
  REQUIRE_SOON(test.find<OfferBar>("missingData").isVisible());
}

TEST_CASE("a program that the system ends closes as its window does, and offers nothing at the next start") {
  const TestWindow test;
  const TemporaryFolder folder;
  const fs::path session = writeUnsaved(test, folder), running = folder / "stencilscope" / "running";
  {
    Program program(folder.path(), {toQt(session.string())});
    REQUIRE(wait([&] {
      for (const fs::path& file : keptIn(running))
        if (readTextFile(file).find("x.nrrd") != std::string::npos) return true;
      return false;
    }));
    program.terminate();
  }
  CHECK_FALSE(LeftSession::find(running));
}

TEST_CASE("what is unsaved when the system ends the program stays kept") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 12);
  test.window->keepSession(test.folder.path());
  test.editOption("sigma", Length{2, false});
  const FilterBank bank = test.model().bank();
  test.window->endNow();
  CHECK(test.window->findChild<QMessageBox*>("unsavedChanges"_q) == nullptr);
  test.window.reset();
  const auto left = LeftSession::find(test.folder.path());
  REQUIRE(left);
  CHECK(left->kept().session.bank == bank);
}
