// Volumes that lie in many files, and files that belong to another room.

#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QImage>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QUrl>
#include <fstream>

#include "core/base/error.h"
#include "datasets/samples.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/model/paths.h"
#include "ui/window/dialogs.h"

using namespace sscope;
using namespace sscope::test;

namespace {

constexpr int kSlices = 12;

// slice_1.png to slice_12.png; the gray of each is ten times its number.
QStringList writeSlices(const TemporaryFolder& folder, const char* extension = "png") {
  QStringList files;
  for (int i = 1; i <= kSlices; ++i) {
    QImage image(9, 7, QImage::Format_Grayscale8);
    image.fill(10 * i);
    files << toQt((folder / ("slice_" + std::to_string(i) + "." + extension)).string());
    REQUIRE(image.save(files.back()));
  }
  return files;
}

bool stacked(TestWindow& test) {
  const Volume& volume = *test.model().data().volume;
  return volume.shape() == VolumeShape{9, 7, kSlices, 1} && volume.value(3, 3, 0) == 10 &&
         volume.value(3, 3, kSlices - 1) == 10 * kSlices;
}

void drop(TestWindow& test, const QStringList& files) {
  QMimeData mime;
  QList<QUrl> urls;
  for (const QString& file : files) urls << QUrl::fromLocalFile(file);
  mime.setUrls(urls);
  QDragEnterEvent enter({10, 10}, Qt::CopyAction, &mime, Qt::LeftButton, {});  // tells Qt who takes the drop
  QCoreApplication::sendEvent(test.window.get(), &enter);
  REQUIRE(enter.isAccepted());
  QDropEvent event(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, {});
  QCoreApplication::sendEvent(test.window.get(), &event);
}

}  // namespace

TEST_CASE("a folder, a pattern and many files of slices open as one volume") {
  TestWindow test({"box:size=3"});
  const QStringList files = writeSlices(test.folder);
  const QSignalSpy loaded(&test.window->loader(), &DataLoader::loaded);
  const auto open = [&](const std::filesystem::path& path) {
    test.window->loader().open(toQt(path.string()));
    CHECK(test.window->loader().busy());
  };
  SECTION("a pattern, as of the command line") { open(test.folder / "slice_*.png"); }
  SECTION("a pattern with a number") { open(test.folder / "slice_%d.png"); }
  SECTION("the folder") { open(test.folder.path()); }
  SECTION("the folder, dropped") { drop(test, {toQt(test.folder.path().string())}); }
  SECTION("all files, dropped") { drop(test, files); }
  SECTION("all files that begin alike, dropped beside others") {
    std::ofstream(test.folder / "notes.txt") << "a note";
    drop(test, files);
  }
  SECTION("a pattern typed where a file is chosen") {
    test.window->chooseFile();
    auto& dialog = *test.window->findChild<OpenDialog*>();
    auto& name = *dialog.findChild<QLineEdit*>("fileNameEdit"_q);
    dialog.setDirectory(toQt(test.folder.path().string()));
    name.setFocus();
    QTest::keyClicks(&name, "slice_*.png"_q);
    REQUIRE(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open)->isEnabled());
    QTest::keyClick(&name, Qt::Key_Return);
  }
  REQUIRE_SOON(!loaded.isEmpty());
  CHECK(stacked(test));
  REQUIRE(test.waitIdle());
}

TEST_CASE("TIFF slices open like PNG slices") {
  TestWindow test({"box:size=3"});
  for (int i = 1; i <= 3; ++i) {
    Volume slice({5, 4, 1, 1}, ElementType::u16);
    for (auto& element : slice.elements<std::uint16_t>()) element = static_cast<std::uint16_t>(1000 * i);
    test.workshop.io->write(test.folder / fromQt("s%1.tif"_q.arg(i)), slice, {});
  }
  REQUIRE(test.openFile(test.folder.path()));
  CHECK(test.model().data().volume->shape() == VolumeShape{5, 4, 3, 1});
  CHECK(test.model().data().volume->value(0, 0, 2) == 3000);
}

TEST_CASE("files that are no volume together are refused with the remedy") {
  const TemporaryFolder folder, other;
  TestWindow test({"box:size=3"});
  const QStringList files = writeSlices(folder);
  const QStringList elsewhere = writeSlices(other);
  REQUIRE(test.openSample("gyroid", 12));
  auto& notice = test.find<Notice>("dataNotice");
  drop(test, files.mid(0, 2));  // slice_1 and slice_2: the pattern would take slice_10, too
  CHECK(notice.isVisible());
  CHECK(notice.message().contains("choose all of them"_q));
  drop(test, {files[0], elsewhere[1]});
  CHECK(notice.message().contains("one folder"_q));
  CHECK(test.model().data().volume->shape().nx == 12);
  const QSignalSpy failed(&test.window->loader(), &DataLoader::failed);
  test.window->loader().open(toQt((folder / "none_*.png").string()));
  REQUIRE_SOON(!failed.isEmpty());
  CHECK(notice.message().contains("check the folder and the pattern"_q));
  const TemporaryFolder empty;
  test.window->loader().open(toQt(empty.path().string()));
  REQUIRE_SOON(failed.size() == 2);
  CHECK(notice.message().contains(toQt(empty.path().string())));
}

TEST_CASE("names of many files") {
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return toQt((folder / name).string()); };
  for (const char* name : {"a[1].png", "a[2].png", "b.txt"}) std::ofstream(folder / name) << "x";
  CHECK(nameOf({path("b.txt")}) == path("b.txt"));
  CHECK(nameOf({path("a[1].png"), path("a[2].png")}) == path("a?*?.png"));
  CHECK_THROWS_AS(nameOf({path("a[1].png"), path("b.txt")}), Error);
  CHECK(isPattern(path("a*.png")));
  CHECK(isPattern(path("a%03d.png")));
  CHECK_FALSE(isPattern(path("a[1].png")));  // there is a file of this name
  CHECK_FALSE(isPattern(path("plain.png")));
}

TEST_CASE("a volume opened in the Lattice room goes to the Filter room and says so") {
  TestWindow test({"box:size=3"});
  test.workshop.io->write(test.folder / "volume.nrrd", makeSample("gyroid", 14, 1, {}), {});
  test.window->enterRoom("lattice");
  const QSignalSpy loaded(&test.window->loader(), &DataLoader::loaded);
  SECTION("by the dialog") {
    test.window->chooseFile();
    auto* dialog = test.window->findChild<OpenDialog*>();
    REQUIRE(dialog != nullptr);
    auto& name = *dialog->findChild<QLineEdit*>("fileNameEdit"_q);
    name.setText(toQt((test.folder / "volume.nrrd").string()));
    QTest::keyClick(&name, Qt::Key_Return);
  }
  SECTION("by dropping it") { drop(test, {toQt((test.folder / "volume.nrrd").string())}); }
  REQUIRE_SOON(!loaded.isEmpty());
  CHECK(test.window->room() == "filter");
  CHECK(test.model().data().volume->shape().nx == 14);
  auto& notice = test.find<Notice>("dataNotice");
  CHECK(notice.isVisible());
  CHECK(notice.message().contains("volume.nrrd is not a gauge configuration"_q));
  REQUIRE(test.waitIdle());
}

TEST_CASE("what is neither is refused in the Lattice room") {
  TestWindow test;
  std::ofstream(test.folder / "page.txt") << "hello";
  test.window->enterRoom("lattice");
  drop(test, {toQt((test.folder / "page.txt").string())});
  auto& notice = test.find<Notice>("latticeNotice");
  REQUIRE_SOON(notice.isVisible());
  CHECK(notice.message().contains("page.txt"_q));
  CHECK(test.window->room() == "lattice");
}
