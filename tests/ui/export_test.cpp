// What leaves the window can be read back.

#include <QImage>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>
#include <stop_token>
#include <thread>
#include <utility>

#include "core/base/paths.h"
#include "core/volume/fingerprint.h"
#include "core/volume/provenance.h"
#include "datasets/samples.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/engine_charts.h"
#include "ui/charts/histogram_view.h"
#include "ui/window/export_dialog.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// What the dialog says of names of volumes, without its places for line breaks.
QString volumesHint(const ExportDialog& dialog) {
  for (const QLabel* label : dialog.findChildren<QLabel*>())
    if (label->text().startsWith("The ext"_q)) return label->text().remove(QChar(0x200B));
  return {};
}

bool sameBytes(const Volume& a, const Volume& b) {
  return a.shape() == b.shape() && a.type() == b.type() && std::equal(a.data(), a.data() + a.bytes(), b.data());
}

}  // namespace

TEST_CASE("the filtered volume is exported with what the file of the data holds, and reads back equal") {
  TestWindow test({"gaussian:sigma=1.2"});
  WriteOptions how;
  how.metadata.fields = {{"study", "seven"}, {"modality", "test"}};
  Volume volume = randomVolume({6, 5, 4, 1}, ElementType::f32, 1);
  const Geometry geometry{{0.5, 1, 2}, {10, 20, 30}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, "um"};
  volume.setGeometry(geometry);
  test.workshop.io->write(test.folder / "in.nrrd", volume, how, {});
  test.showFile(test.folder / "in.nrrd");
  const LoadedVolume back = test.workshop.io->read(test.exportAs(0, "out.nrrd"), {});
  CHECK(sameBytes(back.volume, *test.window->live().result()->outputs.front()->host({})));
  CHECK(back.info.metadata.fields == how.metadata.fields);
  CHECK(back.volume.geometry().spacing == geometry.spacing);
  CHECK(back.volume.geometry().origin == geometry.origin);
  CHECK(back.volume.geometry().unit == "um");
}

TEST_CASE("an export says how it was made, and offers its filters when it is opened") {
  TestWindow test({"gaussian:sigma=1.2,name=soft"});
  const Volume volume = randomVolume({16, 15, 14, 1}, ElementType::u8, 3);
  test.workshop.io->write(test.folder / "in.nrrd", volume, {});
  test.showFile(test.folder / "in.nrrd");
  const QToolButton& use = test.find<QToolButton>("useFilters");
  CHECK_FALSE(use.isVisibleTo(test.window.get()));
  REQUIRE(exportTo(test, 0, test.folder / "out.nrrd").size() == 1);
  test.showFile(test.folder / "out.nrrd");
  const Provenance made = parseProvenance(test.model().data().info.metadata.provenance);
  CHECK(made.command == "filter");
  CHECK(made.results == std::vector<std::string>{"soft"});
  CHECK(made.data->name == "in.nrrd");
  CHECK(made.data->fingerprint == fingerprintOf(volume, {}));
  CHECK(made.fingerprint == fingerprintOf(*test.model().data().volume, {}));
  CHECK_FALSE(made.engine.empty());
  CHECK_FALSE(made.variant.empty());
  CHECK(test.find<QLabel>("dataMade").text().contains("filter"_q));
  test.setBank({"box:size=3"});
  REQUIRE(use.isVisibleTo(test.window.get()));
  test.press("useFilters");
  CHECK(test.model().bank().filters.at(0).name == "soft");
  test.model().undoStack().undo();
  CHECK(test.model().bank().filters.at(0).family == "box");
  REQUIRE(test.waitIdle());
}

TEST_CASE("the export dialog names what a file drops of geometry and meaning, as the command line does") {
  const bool channels = GENERATE(false, true);
  TestWindow test({"box:size=3"});
  if (channels) test.setBank({"box:size=3", "median:size=3"});
  Volume volume({6, 5, 4, channels ? 2 : 1}, ElementType::u8);
  const Geometry geometry{{0.5, 1, 2}, {0, 0, 0}, {0, 1, 0, 1, 0, 0, 0, 0, 1}, "mm"};
  if (!channels) volume.setGeometry(geometry);
  WriteOptions options;
  if (channels) options.metadata.channels = {"a", "b"};
  test.workshop.io->write(test.folder / "in.nrrd", volume, options, {});
  test.showFile(test.folder / "in.nrrd");
  const auto loss = [&](int what, const std::string& name) {
    ExportDialog& dialog = showExport(*test.window, what);
    const auto& label = *dialog.findChild<QLabel*>("exportLoss"_q);
    dialog.setPath(toQt((test.folder / name).string()));
    return label.isVisible() ? label.text().toStdString() : std::string();
  };
  if (channels) {
    CHECK(loss(0, "{}.nrrd").empty());
    CHECK_THAT(loss(0, "out.nrrd"), ContainsSubstring("do not keep the names of channels"));
    CHECK_THAT(loss(0, "{}.npy"), ContainsSubstring("no place for the names of channels"));
    return;
  }
  CHECK(loss(0, "out.nrrd").empty());
  CHECK(loss(0, "out.png") == test.workshop.io->dropped("out.png", geometry, {}) + ".");
  CHECK_THAT(loss(0, "out.jpg"), ContainsSubstring("spacing and direction of the data are dropped"));
  CHECK_THAT(loss(0, "out.vtk"), ContainsSubstring("store no directions"));
  CHECK(loss(0, "out.vti").empty());
  CHECK(loss(1, "view.png").empty());  // a picture of the views has none to lose
}

TEST_CASE("several filters become several files, or the components of one") {
  TestWindow test({"gaussian:sigma=1", "sobel:axis=x"}, "gyroid", 15);
  const FilterResult result = hostResult(*test.window->live().result(), {});
  REQUIRE(exportTo(test, 0, test.folder / "out-{}.nrrd").size() == 2);
  const auto read = [&](const char* name) { return test.workshop.io->read(test.folder / name, {}).volume; };
  CHECK(sameBytes(read("out-gaussian.nrrd"), result.outputs[0]));
  CHECK(sameBytes(read("out-sobel.nrrd"), result.outputs[1]));
  static_cast<void>(test.exportAs(0, "both.nrrd"));
  const Volume both = read("both.nrrd");
  REQUIRE(both.shape() == VolumeShape{15, 15, 15, 2});
  for (int i = 0; i < 2; ++i)
    CHECK(both.value(3, 4, 5, i) == result.outputs[static_cast<std::size_t>(i)].value(3, 4, 5));
}

TEST_CASE("an export that cannot be is refused in the dialog without a question, until another name is typed") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 12);
  const std::filesystem::path store = test.folder / "out.ome.zarr";
  REQUIRE(exportTo(test, 0, store).size() == 1);
  std::filesystem::create_directory(store / "labels");
  const std::pair<std::filesystem::path, const char*> rows[] = {
      {"/no/such/folder/out.nrrd", "folder"},
      {test.folder / "out.unknown", "out.unknown"},
      {store, "would remove labels, which is also in this store"}};
  for (const auto& [path, part] : rows) {
    INFO(path);
    CHECK(exportTo(test, 0, path).isEmpty());
    CHECK(test.window->findChild<QMessageBox*>("replaceFiles"_q) == nullptr);
    ExportDialog& dialog = test.window->showExport();
    const auto& notice = *dialog.findChild<Notice*>("exportNotice"_q);
    CHECK(notice.isVisible());
    CHECK_THAT(notice.message().toStdString(), ContainsSubstring(part));
    auto& line = *dialog.findChild<QLineEdit*>("exportPath"_q);
    line.setFocus();
    QTest::keyClick(&line, Qt::Key_Backspace);
    CHECK_FALSE(notice.isVisible());
  }
  CHECK(std::filesystem::is_directory(store / "labels"));
}

TEST_CASE("views and charts are exported") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 24);
  const auto image = [&](int what, const char* name) { return QImage(toQt(test.exportAs(what, name).string())); };
  const auto text = [&](int what, const char* name) { return readTextFile(test.exportAs(what, name)); };
  const QImage view = image(1, "view.png");
  REQUIRE_FALSE(view.isNull());
  bool picture = false;
  for (int y = 0; y < view.height() && !picture; ++y)
    for (int x = 0; x < view.width() && !picture; ++x) picture = view.pixel(x, y) != view.pixel(0, 0);
  CHECK(picture);
  CHECK(image(2, "time.png").size() == test.find<TimeChart>("timeChart").size() * 2);
  CHECK_THAT(text(3, "time.csv"), ContainsSubstring("cpu:scalar"));
  CHECK_FALSE(image(4, "throughput.png").isNull());
  CHECK_THAT(text(5, "throughput.csv"), ContainsSubstring("cpu:scalar"));
  REQUIRE_SOON(!test.find<HistogramView>("histogram").histogram().counts.empty());
  CHECK(image(6, "histogram.png").size() == test.find<HistogramView>("histogram").size() * 2);
  CHECK_THAT(text(7, "histogram.csv"), StartsWith("from,to,count\n"));
}

TEST_CASE("the export dialog offers what can be, where the last export went, and starts afresh") {
  QSettings().remove("exportFolder"_q);
  const TemporaryFolder folder, elsewhere;
  TestWindow test({"gaussian:sigma=1"});
  test.workshop.io->write(folder / "mine.nrrd", makeSample("gyroid", 12, 1, {}), {});
  test.showFile(folder / "mine.nrrd");
  ExportDialog& dialog = test.window->showExport();
  auto& path = *dialog.findChild<QLineEdit*>("exportPath"_q);
  CHECK(path.text().endsWith("/mine-filtered.nrrd"_q));
  CHECK_FALSE(path.text().startsWith(toQt(folder.path().string())));  // the data may lie in an archive
  QString hint;
  for (const QLabel* label : dialog.findChildren<QLabel*>())
    if (label->text().startsWith("The extension"_q)) hint = label->text();
  const QStringList offered = hint.section(QLatin1Char('\n'), 0, 0).section(": "_q, 1).split(u' ');
  REQUIRE(offered.size() > 5);
  const FilterResult result = hostResult(*test.window->live().result(), {});
  for (const QString& extension : offered) {
    CAPTURE(extension.toStdString());
    const std::string file = fromQt(QLatin1Char('x') + extension);
    CHECK_NOTHROW(test.workshop.io->checkWritable(file, result.outputs[0].shape(), result.outputs[0].type()));
  }
  CHECK_FALSE(offered.contains(".png"_q));
  CHECK_FALSE(offered.contains(".img.gz"_q));
  REQUIRE(exportTo(test, 0, elsewhere / "out.nrrd").size() == 1);
  auto& notice = *dialog.findChild<Notice*>("exportNotice"_q);
  CHECK(notice.isVisible());
  dialog.close();
  test.window->showExport("-view.png"_q);
  CHECK_FALSE(notice.isVisible());
  CHECK(path.text().startsWith(toQt(elsewhere.path().string())));
  REQUIRE(test.openFile(folder / "mine.nrrd"));
  CHECK(path.text().startsWith(toQt(elsewhere.path().string())));
  // A folder that is gone is proposed no more.
  QSettings().setValue("exportFolder"_q, "/nowhere"_q);
  REQUIRE(test.openFile(folder / "mine.nrrd"));
  CHECK_FALSE(path.text().startsWith("/nowhere"_q));
}

TEST_CASE("a canceled export says what came of it") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 12);
  ExportDialog& dialog = test.window->showExport();
  const QSignalSpy exported(&dialog, &ExportDialog::exported);
  const auto& notice = *dialog.findChild<Notice*>("exportNotice"_q);
  // Writes all the same, and sees a stop only then.
  const auto untilStopped = [](const std::filesystem::path& path, const Control& control) {
    while (!control.stopRequested()) std::this_thread::yield();
    writeTextFile(path, "all of it");
  };
  ExportOffer offer{"slow"_q, "-slow.nrrd"_q, [untilStopped] { return ExportOffer::Writer(untilStopped); }};
  offer.volume = GENERATE(false, true);  // then the writer gives the file its name, and it is too late
  CAPTURE(offer.volume);
  dialog.setOffers({offer}, false);
  dialog.setPath(toQt((test.folder / "out.nrrd").string()));
  dialog.start();
  REQUIRE(dialog.busy());
  dialog.reject();
  CHECK(dialog.isVisible());
  REQUIRE_SOON(!dialog.busy());
  CHECK(exported.size() == (offer.volume ? 1 : 0));
  CHECK(std::filesystem::exists(test.folder / "out.nrrd") == offer.volume);
  CHECK(notice.message().startsWith(offer.volume ? "Wrote "_q : "The export was canc"_q));
  CHECK(std::filesystem::is_empty(test.folder.path()) != offer.volume);
}

TEST_CASE("a picture reports how much of it is written, and stops at once") {
  const TemporaryFolder folder;
  QImage noise(600, 400, QImage::Format_RGB32);
  std::uint32_t state = 1;
  for (int y = 0; y < noise.height(); ++y)
    for (int x = 0; x < noise.width(); ++x) noise.setPixel(x, y, state = state * 1664525 + 1013904223);
  std::stop_source stop;
  double last = 0;
  int reports = 0;
  Control control{stop.get_token(), [&](double fraction, std::string_view) {
                    CHECK(fraction >= last);
                    last = fraction;
                    ++reports;
                  }};
  writeImage(noise)(folder / "whole.png", control);
  CHECK(reports > 10);
  CHECK(last <= 1);
  CHECK(QImage(toQt((folder / "whole.png").string())).size() == noise.size());
  const int all = std::exchange(reports, 0);
  last = 0;
  control.progress = [&](double, std::string_view) {
    if (++reports == 5) stop.request_stop();
  };
  CHECK_THROWS_AS(writeImage(noise)(folder / "part.png", control), Canceled);
  CHECK(reports < all);
}

TEST_CASE("the window asks before it stops an export, and leaves whole files") {
  const bool stop = GENERATE(false, true);
  CAPTURE(stop);
  TestWindow test({"gaussian:sigma=1", "gaussian:sigma=2", "sobel"}, "gyroid", 128);
  ExportDialog& dialog = test.window->showExport();
  dialog.setPath(toQt((test.folder / "out-{}.nii.gz").string()));
  dialog.start();
  REQUIRE(dialog.busy());
  const auto written = [&] {
    std::vector<std::filesystem::path> files;
    for (const auto& each : std::filesystem::directory_iterator(test.folder.path()))
      if (each.path().extension() == ".gz" && each.path().filename().string().starts_with("out-"))
        files.push_back(each.path());
    return files;
  };
  // The first of them is being written; they get their names together.
  if (stop) REQUIRE_SOON(!std::filesystem::is_empty(test.folder.path()) || !dialog.busy());
  REQUIRE(dialog.busy());
  CHECK_FALSE(test.window->close());
  auto* box = test.window->findChild<QMessageBox*>("exportRunning"_q);
  REQUIRE(box != nullptr);
  CHECK(box->text() == "Stop the export and close?"_q);
  CHECK(test.window->isVisible());
  CHECK(dialog.busy());
  if (!stop) {
    box->escapeButton()->click();
    REQUIRE_SOON(!dialog.busy());
    CHECK(test.window->isVisible());
    CHECK(written().size() == 3);
  } else {
    for (QAbstractButton* button : box->buttons())
      if (button != box->escapeButton()) button->click();
    REQUIRE_SOON(!test.window->isVisible());
    test.window.reset();  // the writer has ended
    CHECK(written().empty());
  }
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(test.folder.path())) ++files;
  CHECK(files == written().size());
  for (const std::filesystem::path& file : written())
    CHECK(test.workshop.io->read(file.string(), {}).volume.shape() == VolumeShape{128, 128, 128, 1});
}

TEST_CASE("the export dialog explains braces in a name, counts the filters with a result, and stays as narrow") {
  const std::string longest(300, 'a');
  TestWindow test;
  test.setBank({"gaussian:sigma=1", ("sobel:name=" + longest).c_str(), "formula:e=missing + 1,name=sum"});
  REQUIRE(test.openSample("gyroid", 12));
  ExportDialog& dialog = test.window->showExport();
  dialog.setPath("/somewhere/out-{}.nrrd"_q);
  CHECK(volumesHint(dialog).contains("One file for each of the 2 filters"_q));
  CHECK(volumesHint(dialog).contains(toQt("out-gaussian.nrrd, out-" + longest + ".nrrd")));
  CHECK(dialog.minimumSizeHint().width() < 800);
  CHECK(dialog.height() >= dialog.layout()->totalHeightForWidth(dialog.width()));  // nothing is squeezed
  dialog.setPath("/somewhere/out.nrrd"_q);
  CHECK(volumesHint(dialog).contains("The results of the 2 filters"_q));
  CHECK(volumesHint(dialog).contains("write {} in place of its name"_q));
}
