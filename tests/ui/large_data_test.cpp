// Data larger than memory in the window: what it shows, what it refuses, what it exports.

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <cstring>
#include <filesystem>

#include "datasets/samples.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/histogram_view.h"
#include "ui/panels/hover_readout.h"
#include "ui/rooms/compare/compare_room.h"
#include "ui/rooms/filter/filter_room.h"

using namespace sscope;
using namespace sscope::test;

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMemory = 1 << 20;  // 64^3 voxels of 32 bits take as much, and their results

fs::path writeFoam(TestWindow& test, const TemporaryFolder& folder, const char* name = "foam.nrrd") {
  const fs::path path = folder / name;
  test.workshop.io->write(path, makeSample("foam", 64, 1, {}), {});
  return path;
}

// Until the slices are those of the file and of its filter.
bool waitExact(TestWindow& test) {
  return wait([&] {
    return !test.window->loader().busy() && !test.window->live().busy() && test.views().sourceIsExact(2) &&
           test.views().resultSlice(2).volume != nullptr;
  });
}

bool sameSlice(const VolumeViews::SeenSlice& seen, const Volume& whole, std::int64_t z) {
  if (!seen.volume) return false;
  const auto bytes = static_cast<std::size_t>(whole.bytes() / whole.shape().nz);
  return std::memcmp(seen.volume->data() + static_cast<std::size_t>(seen.at) * bytes,
                     whole.data() + static_cast<std::size_t>(z) * bytes, bytes) == 0;
}

Volume filteredWhole(TestWindow& test, const fs::path& path) {
  FilterJob job;
  job.bank = test.model().bank();
  const LoadedVolume whole = test.workshop.io->read(path.string(), {});
  return std::move(runFilter(test.workshop.engines, test.workshop.variants, job, whole.volume, {}).outputs.front());
}

int filesIn(const fs::path& folder) {
  return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}));
}

// A window with these filters and a foam that is larger than its memory, shown exactly.
struct LargeWindow : TestWindow {
  explicit LargeWindow(std::initializer_list<const char*> specs = {"gaussian:sigma=1.2"}, std::int64_t memory = kMemory)
      : TestWindow(memory), path(writeFoam(*this, folder)) {
    setBank(specs);
    REQUIRE(openFile(path));
    REQUIRE(model().data().large != nullptr);
    REQUIRE(waitExact(*this));
  }
  void setCrosshair(const VoxelIndex& voxel) {
    ViewState view = model().view();
    view.crosshair = voxel;
    model().setView(view);
  }
  // Starts an export that fails, which leaves no file; its message.
  std::string failExport(const char* name) {
    ExportDialog& dialog = showExport(*window, 0);
    dialog.setPath(toQt((folder / name).string()));
    const int before = filesIn(folder.path());
    QSignalSpy failed(&dialog, &ExportDialog::failed);
    QTest::mouseClick(dialog.findChild<QPushButton*>("exportStart"_q), Qt::LeftButton);
    REQUIRE_SOON(!failed.isEmpty());
    CHECK(filesIn(folder.path()) == before);
    return failed.front().front().toString().toStdString();
  }
  const fs::path path;
};

}  // namespace

TEST_CASE("data larger than memory open as an overview with exact slices") {
  LargeWindow test;
  CHECK(test.model().data().volume->shape() == VolumeShape{64, 64, 64, 1});
  REQUIRE(waitExact(test));
  CHECK_THAT(test.find<QLabel>("dataOverview").text().toStdString(), ContainsSubstring("means of 2 × 2 × 2 voxels"));

  const Volume source = test.workshop.io->read(test.path.string(), {}).volume;
  const Volume result = filteredWhole(test, test.path);
  CHECK(sameSlice(test.views().sourceSlice(2), source, 32));
  CHECK(sameSlice(test.views().resultSlice(2), result, 32));
  CHECK(test.window->live().result() == nullptr);

  // The other views have means alone, and say so; the 3D view, too.
  CHECK_FALSE(test.views().sourceIsExact(1));
  CHECK(test.views().resultSlice(1).volume == nullptr);
  REQUIRE_SOON(test.views().statusText(VolumeViews::View::Volume).contains("means of 2 × 2 × 2 voxels"_q));

  // Another slice is read when it is seen.
  test.setCrosshair({10, 11, 5});
  REQUIRE_SOON(sameSlice(test.views().sourceSlice(2), source, 5));
  REQUIRE_SOON(sameSlice(test.views().resultSlice(2), result, 5));

  // Range and mean are those of all voxels; what is counted for the histogram is said.
  const VolumeStatistics all = statistics(source);
  CHECK_THAT(test.find<QLabel>("dataRange").text().toStdString(),
             ContainsSubstring(QString::number(all.maximum, 'g', 3).left(3).toStdString()));
  const auto& histogram = test.find<HistogramView>("histogram");
  REQUIRE_SOON(!histogram.histogram().counts.empty());
  CHECK(histogram.csv().starts_with("# means of 2 × 2 × 2 voxels\nfrom,to,count\n"));
}

TEST_CASE("a level of a pyramid is seen at once, and gives way to the means of all voxels") {
  TestWindow test(kMemory);
  test.setBank({"gaussian:sigma=1.2"});
  const fs::path path = test.folder / "long.ome.zarr";
  test.workshop.io->write(path, randomVolume({600, 32, 64, 1}, ElementType::u8, 1), {});
  int level = 0;
  QString overview, range;
  QObject::connect(&test.window->loader(), &DataLoader::loaded, test.window.get(), [&] {
    level = test.model().data().large->overview().level;
    overview = test.find<QLabel>("dataOverview").text();
    range = test.find<QLabel>("dataRange").text();
    ViewState view = test.model().view();
    view.crosshair = {10, 11, 5};
    test.model().setView(view);
  });
  const QSignalSpy loaded(&test.window->loader(), &DataLoader::loaded);
  const QSignalSpy completed(&test.window->loader(), &DataLoader::completed);
  REQUIRE(test.openFile(path));
  CHECK(level == 2);
  CHECK(overview.contains("level 2"_q));
  CHECK(range.contains("all voxels"_q));
  REQUIRE_SOON(!completed.isEmpty());
  REQUIRE(waitExact(test));
  CHECK(test.model().data().large->overview().level == 0);
  CHECK_THAT(test.find<QLabel>("dataOverview").text().toStdString(), ContainsSubstring("means of"));
  const Volume whole = test.workshop.io->read(path.string(), {}).volume;
  const QString most = QString::number(statistics(whole).maximum, 'g', 3);
  CHECK(test.find<QLabel>("dataRange").text().contains(most));
  CHECK(test.model().crosshair() == VoxelIndex{10, 11, 5});
  CHECK(sameSlice(test.views().sourceSlice(2), whole, 5));
  CHECK(loaded.count() == 1);
  // Who stops the reading keeps the level.
  QObject::connect(&test.window->loader(), &DataLoader::started, test.window.get(), [&](const QString& what) {
    if (what.contains("all voxels"_q)) QTimer::singleShot(0, &test.window->loader(), &DataLoader::cancel);
  });
  REQUIRE(test.openFile(path));
  const QSignalSpy canceled(&test.window->loader(), &DataLoader::canceled);
  REQUIRE_SOON(!canceled.isEmpty() || completed.count() > 1);
  CHECK(test.model().data().large->overview().level == (completed.count() > 1 ? 0 : 2));
}

TEST_CASE("slices that cross the planes of large data become exact when they are asked for") {
  LargeWindow test;
  const Volume source = test.workshop.io->read(test.path.string(), {}).volume;
  const auto sameRows = [&](const VolumeViews::SeenSlice& seen, const Volume& whole, std::int64_t y) {
    if (!seen.volume || seen.volume->shape().ny != 1 || seen.volume->type() != whole.type()) return false;
    const std::size_t row = 64 * bytesOf(whole.type());
    for (std::size_t z = 0; z < 64; ++z)
      if (std::memcmp(seen.volume->data() + z * row, whole.data() + (z * 64 + static_cast<std::size_t>(y)) * row,
                      row) != 0)
        return false;
    return true;
  };
  const Volume result = filteredWhole(test, test.path);
  // The view that was used last is read by itself: all others that are seen are meant.
  CHECK(test.window->roomOf<FilterRoom>().takeKey(Qt::Key_X));
  REQUIRE_SOON(!test.window->live().busy() && test.views().sourceIsExact(1) && test.views().sourceIsExact(0));
  CHECK(sameRows(test.views().sourceSlice(1), source, 32));
  CHECK(sameRows(test.views().resultSlice(1), result, 32));
  CHECK(test.views().resultSlice(0).volume != nullptr);
  REQUIRE_SOON(test.window->openRoom().words().text.contains("slabs of the slice"_q));

  REQUIRE_SOON(test.views().statusText(VolumeViews::View::Coronal) == "exact slice"_q &&
               test.views().statusText(VolumeViews::View::Sagittal) == "exact slice"_q);

  // Another setting is followed; a slice that the crosshair has left is not.
  test.setBank({"box:size=3"});
  const Volume other = filteredWhole(test, test.path);
  REQUIRE_SOON(!test.window->live().busy() && sameRows(test.views().resultSlice(1), other, 32));
  test.setCrosshair({32, 7, 32});
  REQUIRE_SOON(!test.window->live().busy());
  CHECK_FALSE(test.views().sourceIsExact(1));
  CHECK(test.views().resultSlice(1).volume == nullptr);
  CHECK(test.views().statusText(VolumeViews::View::Coronal).isEmpty());

  // Without a filter the source is read all the same.
  test.setBank({});
  test.setCrosshair({32, 9, 32});
  CHECK_FALSE(test.views().sourceIsExact(1));
  CHECK(test.window->roomOf<FilterRoom>().takeKey(Qt::Key_X));
  REQUIRE_SOON(test.views().sourceIsExact(1));
  CHECK(sameRows(test.views().sourceSlice(1), source, 9));
}

TEST_CASE("what is under the mouse says whether it is a voxel or a mean") {
  HoverInfo info;
  info.inside = true;
  info.voxel = {1, 2, 3};
  info.source = {5};
  CHECK(hoverText(info, {}, 3).startsWith("value 5 at"_q));
  info.block = {4, 4, 2};
  CHECK(hoverText(info, {}, 3).startsWith("mean 5 of 4 × 4 × 2 voxels at"_q));
  info.level = 3;
  CHECK(hoverText(info, {}, 3).startsWith("value 5 of level 3 at"_q));
}

TEST_CASE("data that fit open as always, and so do they with more memory") {
  TestWindow test(std::int64_t{64} << 20);
  test.setBank({"box:size=3"});
  REQUIRE(test.openFile(writeFoam(test, test.folder)));
  CHECK(test.model().data().large == nullptr);
  CHECK(test.waitIdle());
}

TEST_CASE("where no slice of large data can be computed it is said, and another layout computes") {
  TestWindow test(kMemory);
  test.setBank({"gaussian:sigma=1.2"});
  ViewState view = test.model().view();
  view.layout = "coronal";
  test.model().setView(view);
  REQUIRE(test.openFile(writeFoam(test, test.folder)));
  REQUIRE_SOON(test.window->openRoom().words().text.contains("others when X asks for them"_q));
  CHECK(test.views().resultSlice(2).volume == nullptr);
  view = test.model().view();
  view.layout = "all";
  test.model().setView(view);
  CHECK(waitExact(test));
}

TEST_CASE("large images show their overview alone, and are exported all the same") {
  TestWindow test(2 * kMemory - 1);
  test.setBank({"gaussian:sigma=1.2"});
  const fs::path path = test.folder / "plate.nrrd";
  test.workshop.io->write(path, makeSample("zone-plate", 512, 1, {}), {});
  REQUIRE(test.openFile(path));
  REQUIRE(test.model().data().large != nullptr);
  REQUIRE_SOON(test.window->openRoom().words().text.contains("an export computes"_q));
  CHECK_FALSE(test.views().sourceIsExact(2));
  const QStringList files = exportTo(test, 0, test.folder / "out.nrrd");
  CAPTURE(showExport(*test.window, 0).findChild<Notice*>("exportNotice"_q)->message().toStdString());
  REQUIRE(files.size() == 1);
  const Volume whole = filteredWhole(test, path);
  const LoadedVolume back = test.workshop.io->read((test.folder / "out.nrrd").string(), {});
  CHECK(std::memcmp(back.volume.data(), whole.data(), static_cast<std::size_t>(whole.bytes())) == 0);
}

TEST_CASE("the results of large data are exported from file to file") {
  LargeWindow test({"gaussian:sigma=1.2", "sobel:axis=z", "box:size=3", "median:size=3"}, std::int64_t{4} << 20);
  const QStringList files = exportTo(test, 0, test.folder / "out-{}.nrrd");
  REQUIRE(files.size() == 4);
  const Volume whole = filteredWhole(test, test.folder / "foam.nrrd");
  const LoadedVolume back = test.workshop.io->read(files.front().toStdString(), {});
  REQUIRE(back.volume.bytes() == whole.bytes());
  CHECK(std::memcmp(back.volume.data(), whole.data(), static_cast<std::size_t>(whole.bytes())) == 0);
  // A format that is not written by slabs is refused before anything is written.
  test.setBank({"box:size=3"});
  REQUIRE(waitExact(test));
  CHECK_FALSE(test.failExport("out.png").empty());
}

TEST_CASE("a file that is cut off, replaced or removed while it is open is told in a sentence") {
  const char* const how = GENERATE("cut", "replaced", "removed");
  CAPTURE(how);
  LargeWindow test;
  if (std::string_view(how) == "cut") {
    fs::resize_file(test.path, fs::file_size(test.path) / 2);
  } else if (std::string_view(how) == "removed") {
    fs::remove(test.path);
  } else {
    test.workshop.io->write(test.path, makeSample("gyroid", 64, 1, {}), {});
  }
  test.setCrosshair({10, 11, 60});
  const auto& notice = test.find<Notice>("dataNotice");
  REQUIRE_SOON(notice.isVisible());
  CHECK_THAT(notice.message().toStdString(), ContainsSubstring("foam.nrrd") && ContainsSubstring("while it was read"));
  CHECK_FALSE(test.views().sourceIsExact(2));  // the overview stands

  if (std::string_view(how) == "replaced") return;  // it is a whole file, of the same extents
  CHECK_THAT(test.failExport("out.nrrd"), ContainsSubstring("foam.nrrd"));
}

TEST_CASE("an export of large data that is canceled leaves no file") {
  TestWindow test(std::int64_t{6} << 20);
  test.setBank({"bilateral:radius=3", "median:size=7"});
  const fs::path path = test.folder / "foam.nrrd";
  test.workshop.io->write(path, makeSample("foam", 128, 1, {}), {});
  REQUIRE(test.openFile(path));
  REQUIRE(test.model().data().large != nullptr);
  ExportDialog& dialog = showExport(*test.window, 0);
  dialog.setPath(toQt((test.folder / "out-{}.nrrd").string()));
  auto* start = dialog.findChild<QPushButton*>("exportStart"_q);
  REQUIRE(start->isEnabled());
  QTest::mouseClick(start, Qt::LeftButton);
  REQUIRE_SOON(filesIn(test.folder.path()) > 1);
  QTest::mouseClick(dialog.findChild<QPushButton*>("exportCancel"_q), Qt::LeftButton);
  REQUIRE_SOON(!dialog.busy());
  CHECK(filesIn(test.folder.path()) == 1);
  CHECK(dialog.findChild<Notice*>("exportNotice"_q)->message().contains("canceled"_q));
}

TEST_CASE("rooms that need all voxels say that large data have none in memory") {
  TestWindow test(kMemory);
  test.setBank({"box:size=3"});
  REQUIRE(test.openFile(writeFoam(test, test.folder)));
  test.window->enterRoom("compare"_q);
  CompareRoom& room = test.window->roomOf<CompareRoom>();
  room.race();
  bool told = false;
  for (const Notice* notice : test.window->findChildren<Notice*>())
    told |= notice->message().contains("larger than memory"_q);
  CHECK(told);
#ifndef SSCOPE_WITHOUT_WAVELET
  test.window->enterRoom("wavelet"_q);
  REQUIRE_SOON(test.window->openRoom().words().text.contains("larger than memory"_q));
#endif
}
