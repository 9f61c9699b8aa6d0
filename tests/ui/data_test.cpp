// Opening data: files, folders dropped, bad files, the newest wins.

#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QToolButton>
#include <QUrl>
#include <algorithm>
#include <fstream>
#include <limits>

#include "datasets/samples.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/histogram_view.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/views/volume_views.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;

namespace {

std::filesystem::path writeSample(TestWindow& test, const TemporaryFolder& folder, const char* sampleName,
                                  std::int64_t size) {
  const std::filesystem::path path = folder / (std::string(sampleName) + ".nrrd");
  test.workshop.io->write(path, makeSample(sampleName, size, 1, {}), {});
  return path;
}

}  // namespace

TEST_CASE("data open in the window that their file asks for") {
  TestWindow test({"gaussian:sigma=1", "sobel"});
  OpenData data;
  data.volume = std::make_shared<const Volume>(makeSample("gyroid", 12, 1, {}));
  data.info.shape = data.volume->shape();
  data.info.window = {-15, 85};
  data.identity = test.window->loader().newIdentity();
  test.model().setData(data);
  const VolumeViews& views = test.views();
  CHECK(views.sourceWindow() == std::array<double, 2>{-15, 85});
  CHECK_FALSE(views.sourceWindowAutomatic());
  CHECK(views.resultWindow() == std::array<double, 2>{-15, 85});  // smoothed, it is the same quantity
  REQUIRE(test.waitIdle());
  test.showRow("sobel");
  CHECK(views.resultWindowAutomatic());
  REQUIRE(test.openSample("gyroid", 12));
  CHECK(views.sourceWindowAutomatic());
}

TEST_CASE("a file is opened, shown with its facts and remembered") {
  TestWindow test({"gaussian:sigma=1"});
  const std::filesystem::path path = writeSample(test, test.folder, "gyroid", 20);
  REQUIRE(test.openFile(path));
  CHECK(test.model().data().volume->shape() == VolumeShape{20, 20, 20, 1});
  CHECK(test.model().session().data.path == path.string());
  CHECK(QSettings().value("recentFiles"_q).toStringList() == QStringList{toQt(path.string())});
  bool extents = false;
  for (const QLabel* label : test.window->findChildren<QLabel*>()) extents |= label->text() == "20 × 20 × 20 voxels"_q;
  CHECK(extents);
  REQUIRE(test.waitIdle());
}

TEST_CASE("of integers the histogram says values, and a long spacing is short in its line") {
  TestWindow test({"gaussian:sigma=1"});
  Volume volume({12, 5, 4, 1}, ElementType::u8);
  for (std::size_t i = 0; auto& value : volume.elements<std::uint8_t>()) value = i++ % 2 == 0 ? 4 : 255;
  Geometry geometry;
  geometry.spacing = {0.0703125, 0.0703125, 0.10546875};
  geometry.unit = "mm";
  volume.setGeometry(geometry);
  test.workshop.io->write(test.folder / "bytes.nrrd", volume, {});
  REQUIRE(test.openFile(test.folder / "bytes.nrrd"));
  auto& histogram = test.find<HistogramView>("histogram");
  REQUIRE_SOON(!histogram.histogram().counts.empty());
  CHECK(histogram.histogram().least == 4);
  CHECK(histogram.histogram().most == 255);
  CHECK(histogram.histogram().whole);
  CHECK(histogram.accessibleDescription() == "Values from 4 to 255"_q);
  const QLabel* spacing = nullptr;
  for (const QLabel* label : test.window->findChildren<QLabel*>())
    if (label->text() == "0.0703 × 0.0703 × 0.105 mm"_q) spacing = label;
  REQUIRE(spacing != nullptr);
  CHECK(spacing->toolTip().section(QLatin1Char('\n'), 0, 0) == "0.0703125 × 0.0703125 × 0.10546875 mm"_q);
  REQUIRE_SOON(spacing->isVisible() && spacing->width() > 0);
  CHECK(spacing->heightForWidth(spacing->width()) < 2 * spacing->fontMetrics().height());
}

TEST_CASE("the range of integers has no decimals") {
  TestWindow test({"gaussian:sigma=1"});
  Volume volume({6, 5, 4, 1}, ElementType::u8);
  std::ranges::fill(volume.elements<std::uint8_t>(), std::uint8_t{5});
  volume.elements<std::uint8_t>()[7] = 246;
  test.workshop.io->write(test.folder / "in.nrrd", volume, {});
  REQUIRE(test.openFile(test.folder / "in.nrrd"));
  CHECK_SOON(test.find<QLabel>("dataRange").text() == "5 … 246"_q);
  CHECK(test.waitIdle());
}

TEST_CASE("of data without a finite value no range and no mean are told") {
  TestWindow test({"gaussian:sigma=1"});
  Volume nothing({6, 5, 4, 1}, ElementType::f32);
  std::ranges::fill(nothing.elements<float>(), std::numeric_limits<float>::quiet_NaN());
  test.workshop.io->write(test.folder / "nan.nrrd", nothing, {});
  REQUIRE(test.openFile(test.folder / "nan.nrrd"));
  const auto says = [&](const char* text) {
    const QList<QLabel*> labels = test.window->findChildren<QLabel*>();
    return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == QLatin1String(text); });
  };
  CHECK_SOON(says("no value is finite"));
  CHECK_FALSE(says("0"));
  CHECK(test.waitIdle());
}

TEST_CASE("a bad file leaves the data as they were and its sentence stays") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 16);
  const std::shared_ptr<const Volume> before = test.model().data().volume;
  const std::filesystem::path bad = test.folder / "broken.nrrd";
  std::ofstream(bad) << "NRRD0004\ntype: float\ndimension: 3\nsizes: 8 8 8\nencoding: raw\nendian: little\n\nshort";
  CHECK_FALSE(test.openFile(bad));
  CHECK(test.model().data().volume == before);
  CHECK_FALSE(test.model().session().data.sample.empty());
  auto& notice = test.find<Notice>("dataNotice");
  CHECK(notice.isVisible());
  CHECK_THAT(notice.message().toStdString(), ContainsSubstring("broken.nrrd"));
  // It stays until something is opened.
  REQUIRE(test.openSample("gyroid", 18));
  CHECK_FALSE(notice.isVisible());
}

TEST_CASE("the newest opening wins") {
  TestWindow test({"box:size=3"});
  test.window->loader().openSample("gyroid", 96);
  test.window->loader().openSample("marschner-lobb", 12);
  REQUIRE(test.waitIdle());
  CHECK(test.model().data().source.sample == "marschner-lobb");
  CHECK(test.model().data().volume->shape().nx == 12);
}

TEST_CASE("opening can be canceled at once") {
  TestWindow test({"box:size=3"}, "gyroid", 16);
  test.window->loader().openSample("gyroid", 300);
  REQUIRE(test.window->loader().busy());
  QTest::keyClick(test.window.get(), Qt::Key_Escape);
  CHECK_FALSE(test.window->loader().busy());
  CHECK(test.model().data().volume->shape().nx == 16);
}

TEST_CASE("a file dropped on the window is opened") {
  TestWindow test({"box:size=3"});
  const std::filesystem::path path = writeSample(test, test.folder, "gyroid", 14);
  QMimeData mime;
  mime.setUrls({QUrl::fromLocalFile(toQt(path.string()))});
  QDragEnterEvent enter({10, 10}, Qt::CopyAction, &mime, Qt::LeftButton, {});
  QCoreApplication::sendEvent(test.window.get(), &enter);
  REQUIRE(enter.isAccepted());
  CHECK(test.window->statusLine().text() == "Drop to open gyroid.nrrd"_q);
  QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, {});
  QCoreApplication::sendEvent(test.window.get(), &drop);
  REQUIRE(test.waitIdle());
  CHECK(test.model().session().data.path == path.string());
}

TEST_CASE("a two-dimensional image is filtered in the plane") {
  TestWindow test({"gaussian:sigma=2"}, "zone-plate", 64);
  CHECK(test.window->live().result()->outputs.front()->spec().extent == std::array<std::int64_t, 4>{64, 64, 1, 1});
}

TEST_CASE("without data the window offers samples") {
  TestWindow test;
  const auto buttons = test.window->findChildren<QWidget*>(QRegularExpression("^sample-"_q));
  CHECK(buttons.size() == static_cast<qsizetype>(samples().size()));
  CHECK(buttons.front()->isVisible());
  test.setBank({"box:size=3"});
  REQUIRE(test.openSample("gyroid", 16));
  CHECK_FALSE(buttons.front()->isVisible());
}

TEST_CASE("the gallery shows the whole names of the samples") {
  TestWindow test;
  for (const Sample& sample : samples()) {
    INFO(sample.name);
    auto& button = test.find<QToolButton>(("sample-" + sample.name).c_str());
    CHECK(button.text() == toQt(sample.label));
    CHECK(button.width() >= button.sizeHint().width());  // narrower, the style leaves letters out
  }
}
