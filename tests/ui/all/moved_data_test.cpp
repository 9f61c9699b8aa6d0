// A session whose data are not where it says.

#include <QFileDialog>
#include <QPushButton>

#include "core/base/paths.h"
#include "core/filter/families/recipe_text.h"
#include "core/wavelet/job/wavelet_settings.h"
#include "datasets/samples.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/text.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/views/volume_views.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

// work/s.json and work/x.nrrd, written by a window.
Session writeWork(TestWindow& test, const TemporaryFolder& folder) {
  fs::create_directory(folder / "work");
  test.workshop.io->write(folder / "work" / "x.nrrd", makeSample("gyroid", 12, 1, {}), {});
  Session session;
  session.data.path = (folder / "work" / "x.nrrd").string();
  session.bank.filters = {parseFilterSpec("gaussian:sigma=2"), parseFilterSpec("sobel:axis=y")};
  session.view.shownFilter = "sobel";
  session.view.layout = "coronal";
  session.view.crosshair = {3, 4, 5};
  WaveletSettings wavelet;
  wavelet.levels = 2;
  session.put(wavelet);
  writeSession((folder / "work" / "s.json").string(), session);
  return session;
}

// With the rooms of which it says nothing, as they stand.
Session inWindow(TestWindow& test, Session session) {
  for (const SettingsTable* table : sessionParts())
    if (!session.holds(*table)) session.put(test.model().session().settings(*table));
  return session;
}

}  // namespace

TEST_CASE("a session that moved with its data opens") {
  TestWindow test;
  writeWork(test, test.folder);
  fs::rename(test.folder / "work", test.folder / "elsewhere");
  test.showFile(test.folder / "elsewhere" / "s.json");
  CHECK(test.model().session().data.path == (test.folder / "elsewhere" / "x.nrrd").string());
  CHECK_FALSE(test.find<OfferBar>("missingData").isVisible());
}

TEST_CASE("data that are gone can be located, and nothing else of the session is lost") {
  TestWindow test;
  const Session saved = writeWork(test, test.folder);
  fs::rename(test.folder / "work" / "x.nrrd", test.folder / "y.nrrd");
  test.setBank({"box:size=3"});
  REQUIRE(test.openSample("gyroid", 8));
  REQUIRE(test.openFile(test.folder / "work" / "s.json"));
  // The bank, the settings and where the data were are here; other data are not.
  CHECK_FALSE(test.model().hasData());
  CHECK(test.model().session() == inWindow(test, saved));
  CHECK_FALSE(test.model().dirty());
  auto& notice = test.find<OfferBar>("missingData");
  REQUIRE_SOON(notice.isVisible());
  CHECK_THAT(notice.message().toStdString(), ContainsSubstring("x.nrrd"));
  SECTION("saved again it still says where they were") {
    const QSignalSpy done(test.window.get(), &MainWindow::saved);
    test.window->save();
    REQUIRE_SOON(!done.isEmpty());
    const Session again = readSession((test.folder / "work" / "s.json").string());
    CHECK(again.data == saved.data);
    CHECK(again.bank == saved.bank);
  }
  SECTION("located") {
    test.click("locateData");
    auto& dialog = test.find<QFileDialog>("locateDialog");
    CHECK(dialog.fileMode() == QFileDialog::ExistingFile);
    const QSignalSpy loaded(&test.window->loader(), &DataLoader::loaded);
    Q_EMIT dialog.fileSelected(toQt((test.folder / "y.nrrd").string()));
    dialog.reject();
    REQUIRE_SOON(!loaded.isEmpty());
    REQUIRE(test.waitIdle());
    CHECK_FALSE(notice.isVisible());
    CHECK(test.model().data().volume->shape().nx == 12);
    CHECK(test.model().bank() == saved.bank);
    CHECK(test.model().view() == saved.view);
    CHECK(test.views().crosshair() == VoxelIndex{3, 4, 5});
    CHECK(test.model().session().data.path == (test.folder / "y.nrrd").string());
    CHECK(test.model().dirty());  // the file says another place
    CHECK(test.model().path() == toQt((test.folder / "work" / "s.json").string()));
  }
  SECTION("damaged, it stays as it was") {
    writeTextFile(test.folder / "bad.nrrd", "nothing");
    const QSignalSpy failed(&test.window->loader(), &DataLoader::failed);
    test.window->loader().locate(toQt((test.folder / "bad.nrrd").string()));
    REQUIRE_SOON(!failed.isEmpty());
    CHECK(notice.isVisible());
    CHECK(test.model().session() == inWindow(test, saved));
  }
  SECTION("other data answer it as well") {
    REQUIRE(test.openSample("gyroid", 10));
    CHECK_FALSE(notice.isVisible());
    CHECK(test.model().bank() == saved.bank);
  }
}
