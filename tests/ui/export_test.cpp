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
    if (label->text().startsWith(QStringLiteral("The ext"))) return label->text().remove(QChar(0x200B));
  return {};
}

bool sameBytes(const Volume& a, const Volume& b) {
  return a.shape() == b.shape() && a.type() == b.type() && std::equal(a.data(), a.data() + a.bytes(), b.data());
}

}  // namespace

TEST_CASE("the filtered volume is exported and reads back equal") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1.2"});
  REQUIRE(test.openSample("marschner-lobb", 21));
  REQUIRE(exportTo(test, 0, folder / "out.nrrd").size() == 1);
  const LoadedVolume back = test.workshop.io->read((folder / "out.nrrd").string(), {});
  CHECK(sameBytes(back.volume, *test.window->live().result()->outputs.front()->host({})));
  CHECK(back.volume.geometry().spacing == test.model().data().volume->geometry().spacing);
}

TEST_CASE("an export says what the file of the data said, as the command line does") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"box:size=3"});
  Volume volume({6, 5, 4, 1}, ElementType::f32);
  Geometry geometry;
  geometry.spacing = {0.5, 1, 2};
  geometry.origin = {10, 20, 30};
  geometry.unit = "um";
  volume.setGeometry(geometry);
  WriteOptions how;
  how.metadata.fields = {{"study", "seven"}, {"modality", "test"}};
  test.workshop.io->write(folder / "in.nrrd", volume, how, {});
  REQUIRE(test.openFile(folder / "in.nrrd"));
  REQUIRE(test.waitIdle());
  REQUIRE(exportTo(test, 0, folder / "out.nrrd").size() == 1);
  const LoadedVolume back = test.workshop.io->read((folder / "out.nrrd").string(), {});
  CHECK(back.info.metadata.fields == how.metadata.fields);
  CHECK(back.volume.geometry().spacing == geometry.spacing);
  CHECK(back.volume.geometry().origin == geometry.origin);
  CHECK(back.volume.geometry().unit == "um");
}

TEST_CASE("an export says how it was made, and offers its filters when it is opened") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1.2,name=soft"});
  const Volume volume = randomVolume({16, 15, 14, 1}, ElementType::u8, 3);
  test.workshop.io->write(folder / "in.nrrd", volume, {});
  REQUIRE(test.openFile(folder / "in.nrrd"));
  REQUIRE(test.waitIdle());
  const QToolButton& use = test.find<QToolButton>("useFilters");
  CHECK_FALSE(use.isVisibleTo(test.window.get()));
  REQUIRE(exportTo(test, 0, folder / "out.nrrd").size() == 1);
  REQUIRE(test.openFile(folder / "out.nrrd"));
  REQUIRE(test.waitIdle());
  const Provenance made = parseProvenance(test.model().data().info.metadata.provenance);
  CHECK(made.command == "filter");
  CHECK(made.results == std::vector<std::string>{"soft"});
  CHECK(made.data->name == "in.nrrd");
  CHECK(made.data->fingerprint == fingerprintOf(volume, {}));
  CHECK(made.fingerprint == fingerprintOf(*test.model().data().volume, {}));
  CHECK_FALSE(made.engine.empty());
  CHECK_FALSE(made.variant.empty());
  CHECK(test.find<QLabel>("dataMade").text().contains(QStringLiteral("filter")));
  test.setBank({"box:size=3"});
  REQUIRE(use.isVisibleTo(test.window.get()));
  test.find<QToolButton>("useFilters").click();
  CHECK(test.model().bank().filters.at(0).name == "soft");
  test.model().undoStack().undo();
  CHECK(test.model().bank().filters.at(0).family == "box");
  REQUIRE(test.waitIdle());
}

TEST_CASE("the export dialog says what of the geometry a format drops, as the command line does") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"box:size=3"});
  Volume volume({6, 5, 4, 1}, ElementType::u8);
  Geometry geometry;
  geometry.spacing = {0.5, 1, 2};
  geometry.direction = {0, 1, 0, 1, 0, 0, 0, 0, 1};
  volume.setGeometry(geometry);
  test.workshop.io->write(folder / "in.nrrd", volume, {});
  REQUIRE(test.openFile(folder / "in.nrrd"));
  REQUIRE(test.waitIdle());
  ExportDialog& dialog = showExport(*test.window, 0);
  const auto& loss = *dialog.findChild<QLabel*>(QStringLiteral("exportLoss"));
  const auto says = [&](const std::string& name) {
    dialog.setPath(toQt((folder / name).string()));
    return loss.isVisible() ? loss.text().toStdString() : std::string();
  };
  CHECK(says("out.nrrd").empty());
  CHECK(says("out.png") == test.workshop.io->dropped("out.png", geometry, {}) + ".");
  CHECK_THAT(says("out.jpg"), Catch::Matchers::ContainsSubstring("spacing and direction of the data are dropped"));
  CHECK_THAT(says("out.vtk"), Catch::Matchers::ContainsSubstring("store no directions"));
  CHECK(says("out.vti").empty());
  // A picture of the views has none to lose.
  showExport(*test.window, 1);
  CHECK(says("view.png").empty());
}

TEST_CASE("the export dialog says what of the meaning of values a file drops") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"box:size=3", "median:size=3"});
  WriteOptions options;
  options.metadata.channels = {"a", "b"};
  test.workshop.io->write(folder / "in.nrrd", Volume({6, 5, 4, 2}, ElementType::u8), options, {});
  REQUIRE(test.openFile(folder / "in.nrrd"));
  REQUIRE(test.waitIdle());
  ExportDialog& dialog = showExport(*test.window, 0);
  const auto& loss = *dialog.findChild<QLabel*>(QStringLiteral("exportLoss"));
  const auto says = [&](const std::string& name) {
    dialog.setPath(toQt((folder / name).string()));
    return loss.isVisible() ? loss.text().toStdString() : std::string();
  };
  CHECK(says("{}.nrrd").empty());
  CHECK_THAT(says("out.nrrd"), Catch::Matchers::ContainsSubstring("do not keep the names of channels"));
  CHECK_THAT(says("{}.npy"), Catch::Matchers::ContainsSubstring("no place for the names of channels"));
}

TEST_CASE("several filters become several files, or the components of one") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1", "sobel:axis=x"});
  REQUIRE(test.openSample("gyroid", 15));
  const FilterResult result = hostResult(*test.window->live().result(), {});
  REQUIRE(exportTo(test, 0, folder / "out-{}.nrrd").size() == 2);
  CHECK(sameBytes(test.workshop.io->read((folder / "out-gaussian.nrrd").string(), {}).volume, result.outputs[0]));
  CHECK(sameBytes(test.workshop.io->read((folder / "out-sobel.nrrd").string(), {}).volume, result.outputs[1]));
  REQUIRE(exportTo(test, 0, folder / "both.nrrd").size() == 1);
  const Volume both = test.workshop.io->read((folder / "both.nrrd").string(), {}).volume;
  REQUIRE(both.shape() == VolumeShape{15, 15, 15, 2});
  CHECK(both.value(3, 4, 5, 0) == result.outputs[0].value(3, 4, 5));
  CHECK(both.value(3, 4, 5, 1) == result.outputs[1].value(3, 4, 5));
}

TEST_CASE("an export that cannot be says so in the dialog and leaves nothing") {
  TestWindow test;
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 12));
  CHECK(exportTo(test, 0, "/no/such/folder/out.nrrd").isEmpty());
  ExportDialog& dialog = test.window->showExport();
  auto* notice = dialog.findChild<Notice*>(QStringLiteral("exportNotice"));
  CHECK(notice->isVisible());
  CHECK_FALSE(notice->message().isEmpty());
}

TEST_CASE("a store with more than its image is refused without a question, as the command line does") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 12));
  const std::filesystem::path store = folder / "out.ome.zarr";
  REQUIRE(exportTo(test, 0, store).size() == 1);
  std::filesystem::create_directory(store / "labels");
  CHECK(exportTo(test, 0, store).isEmpty());
  CHECK(test.window->findChild<QMessageBox*>(QStringLiteral("replaceFiles")) == nullptr);
  CHECK(test.window->showExport()
            .findChild<Notice*>(QStringLiteral("exportNotice"))
            ->message()
            .contains(QStringLiteral("would remove labels, which is also in this store")));
  CHECK(std::filesystem::is_directory(store / "labels"));
}

TEST_CASE("views and charts are exported") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 24));
  REQUIRE(exportTo(test, 1, folder / "view.png").size() == 1);
  const QImage view(toQt((folder / "view.png").string()));
  REQUIRE_FALSE(view.isNull());
  QRgb first = view.pixel(0, 0);
  bool picture = false;
  for (int y = 0; y < view.height() && !picture; ++y)
    for (int x = 0; x < view.width() && !picture; ++x) picture = view.pixel(x, y) != first;
  CHECK(picture);
  REQUIRE(exportTo(test, 2, folder / "time.png").size() == 1);
  CHECK(QImage(toQt((folder / "time.png").string())).size() == test.find<TimeChart>("timeChart").size() * 2);
  REQUIRE(exportTo(test, 3, folder / "time.csv").size() == 1);
  CHECK_THAT(readTextFile(folder / "time.csv"), Catch::Matchers::ContainsSubstring("cpu:scalar"));
  REQUIRE(exportTo(test, 4, folder / "throughput.png").size() == 1);
  CHECK_FALSE(QImage(toQt((folder / "throughput.png").string())).isNull());
  REQUIRE(exportTo(test, 5, folder / "throughput.csv").size() == 1);
  CHECK_THAT(readTextFile(folder / "throughput.csv"), Catch::Matchers::ContainsSubstring("cpu:scalar"));
  REQUIRE(wait([&] { return !test.find<HistogramView>("histogram").histogram().counts.empty(); }));
  REQUIRE(exportTo(test, 6, folder / "histogram.png").size() == 1);
  CHECK(QImage(toQt((folder / "histogram.png").string())).size() == test.find<HistogramView>("histogram").size() * 2);
  REQUIRE(exportTo(test, 7, folder / "histogram.csv").size() == 1);
  CHECK_THAT(readTextFile(folder / "histogram.csv"), Catch::Matchers::StartsWith("from,to,count\n"));
}

TEST_CASE("the export dialog offers what can be, where the last export went, and starts afresh") {
  QSettings().remove(QStringLiteral("exportFolder"));
  TestWindow test;
  const TemporaryFolder folder, elsewhere;
  test.setBank({"gaussian:sigma=1"});
  test.workshop.io->write(folder / "mine.nrrd", makeSample("gyroid", 12, 1, {}), {});
  REQUIRE(test.openFile(folder / "mine.nrrd"));
  REQUIRE(test.waitIdle());
  ExportDialog& dialog = test.window->showExport();
  auto& path = *dialog.findChild<QLineEdit*>(QStringLiteral("exportPath"));
  CHECK(path.text().endsWith(QStringLiteral("/mine-filtered.nrrd")));
  CHECK_FALSE(path.text().startsWith(toQt(folder.path().string())));  // the data may lie in an archive
  QString hint;
  for (const QLabel* label : dialog.findChildren<QLabel*>())
    if (label->text().startsWith(QStringLiteral("The extension"))) hint = label->text();
  const QStringList offered = hint.section(QLatin1Char('\n'), 0, 0).section(QStringLiteral(": "), 1).split(u' ');
  REQUIRE(offered.size() > 5);
  const FilterResult result = hostResult(*test.window->live().result(), {});
  for (const QString& extension : offered) {
    CAPTURE(extension.toStdString());
    const std::string file = fromQt(QLatin1Char('x') + extension);
    CHECK_NOTHROW(test.workshop.io->checkWritable(file, result.outputs[0].shape(), result.outputs[0].type()));
  }
  CHECK_FALSE(offered.contains(QStringLiteral(".png")));
  CHECK_FALSE(offered.contains(QStringLiteral(".img.gz")));
  REQUIRE(exportTo(test, 0, elsewhere / "out.nrrd").size() == 1);
  auto& notice = *dialog.findChild<Notice*>(QStringLiteral("exportNotice"));
  CHECK(notice.isVisible());
  dialog.close();
  test.window->showExport(QStringLiteral("-view.png"));
  CHECK_FALSE(notice.isVisible());
  CHECK(path.text().startsWith(toQt(elsewhere.path().string())));
  REQUIRE(test.openFile(folder / "mine.nrrd"));
  CHECK(path.text().startsWith(toQt(elsewhere.path().string())));
  // A folder that is gone is proposed no more.
  QSettings().setValue(QStringLiteral("exportFolder"), QStringLiteral("/nowhere"));
  REQUIRE(test.openFile(folder / "mine.nrrd"));
  CHECK_FALSE(path.text().startsWith(QStringLiteral("/nowhere")));
}

TEST_CASE("what was wrong with a name is forgotten when another is typed") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 12));
  ExportDialog& dialog = test.window->showExport();
  CHECK(exportTo(test, 0, folder / "out.unknown").empty());
  auto& notice = *dialog.findChild<Notice*>(QStringLiteral("exportNotice"));
  REQUIRE(notice.isVisible());
  auto& path = *dialog.findChild<QLineEdit*>(QStringLiteral("exportPath"));
  path.setFocus();
  QTest::keyClick(&path, Qt::Key_Backspace);
  CHECK_FALSE(notice.isVisible());
}

TEST_CASE("a canceled export says what came of it") {
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 12));
  ExportDialog& dialog = test.window->showExport();
  const QSignalSpy exported(&dialog, &ExportDialog::exported);
  const auto& notice = *dialog.findChild<Notice*>(QStringLiteral("exportNotice"));
  // Writes all the same, and sees a stop only then.
  const auto untilStopped = [](const std::filesystem::path& path, const Control& control) {
    while (!control.stopRequested()) std::this_thread::yield();
    writeTextFile(path, "all of it");
  };
  ExportOffer offer{QStringLiteral("slow"), QStringLiteral("-slow.nrrd"),
                    [untilStopped] { return ExportOffer::Writer(untilStopped); }};
  offer.volume = GENERATE(false, true);  // then the writer gives the file its name, and it is too late
  CAPTURE(offer.volume);
  dialog.setOffers({offer}, false);
  dialog.setPath(toQt((folder / "out.nrrd").string()));
  dialog.start();
  REQUIRE(dialog.busy());
  dialog.reject();
  CHECK(dialog.isVisible());
  REQUIRE(wait([&] { return !dialog.busy(); }));
  CHECK(exported.size() == (offer.volume ? 1 : 0));
  CHECK(std::filesystem::exists(folder / "out.nrrd") == offer.volume);
  CHECK(notice.message().startsWith(offer.volume ? QStringLiteral("Wrote ") : QStringLiteral("The export was canc")));
  CHECK(std::filesystem::is_empty(folder.path()) != offer.volume);
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
  TestWindow test;
  const TemporaryFolder folder;
  test.setBank({"gaussian:sigma=1", "gaussian:sigma=2", "sobel"});
  REQUIRE(test.openSample("gyroid", 128));
  ExportDialog& dialog = test.window->showExport();
  dialog.setPath(toQt((folder / "out-{}.nii.gz").string()));
  dialog.start();
  REQUIRE(dialog.busy());
  const auto written = [&] {
    std::vector<std::filesystem::path> files;
    for (const auto& each : std::filesystem::directory_iterator(folder.path()))
      if (each.path().extension() == ".gz" && each.path().filename().string().starts_with("out-"))
        files.push_back(each.path());
    return files;
  };
  // The first of them is being written; they get their names together.
  if (stop) REQUIRE(wait([&] { return !std::filesystem::is_empty(folder.path()) || !dialog.busy(); }));
  REQUIRE(dialog.busy());
  CHECK_FALSE(test.window->close());
  auto* box = test.window->findChild<QMessageBox*>(QStringLiteral("exportRunning"));
  REQUIRE(box != nullptr);
  CHECK(box->text() == QStringLiteral("Stop the export and close?"));
  CHECK(test.window->isVisible());
  CHECK(dialog.busy());
  if (!stop) {
    box->escapeButton()->click();
    REQUIRE(wait([&] { return !dialog.busy(); }));
    CHECK(test.window->isVisible());
    CHECK(written().size() == 3);
  } else {
    for (QAbstractButton* button : box->buttons())
      if (button != box->escapeButton()) button->click();
    REQUIRE(wait([&] { return !test.window->isVisible(); }));
    test.window.reset();  // the writer has ended
    CHECK(written().empty());
  }
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator(folder.path())) ++files;
  CHECK(files == written().size());
  for (const std::filesystem::path& file : written())
    CHECK(test.workshop.io->read(file.string(), {}).volume.shape() == VolumeShape{128, 128, 128, 1});
}

TEST_CASE("what braces in an export's name mean is said in words") {
  TestWindow test;
  test.setBank({"gaussian:sigma=1", "sobel"});
  REQUIRE(test.openSample("gyroid", 12));
  ExportDialog& dialog = test.window->showExport();
  const auto hint = [&] { return volumesHint(dialog); };
  dialog.setPath(QStringLiteral("/somewhere/out-{}.nrrd"));
  CHECK(hint().contains(QStringLiteral("One file for each of the 2 filters")));
  CHECK(hint().contains(QStringLiteral("out-gaussian.nrrd, out-sobel.nrrd")));
  dialog.setPath(QStringLiteral("/somewhere/out.nrrd"));
  CHECK(hint().contains(QStringLiteral("To get a file for each of them")));
  // Nothing in the dialog is squeezed, whatever it says.
  CHECK(dialog.height() >= dialog.layout()->totalHeightForWidth(dialog.width()));
}

TEST_CASE("the export dialog counts the filters that have a result") {
  TestWindow test;
  test.setBank({"gaussian:sigma=1", "sobel", "formula:e=missing + 1,name=sum"});
  REQUIRE(test.openSample("gyroid", 12));
  ExportDialog& dialog = test.window->showExport();
  dialog.setPath(QStringLiteral("/somewhere/out-{}.nrrd"));
  CHECK(volumesHint(dialog).contains(QStringLiteral("One file for each of the 2 filters")));
  dialog.setPath(QStringLiteral("/somewhere/out.nrrd"));
  CHECK(volumesHint(dialog).contains(QStringLiteral("The results of the 2 filters")));
}

TEST_CASE("the export dialog stays as narrow as it is, however long a filter's name is") {
  TestWindow test;
  const std::string named = "sobel:name=" + std::string(300, 'a');
  test.setBank({"gaussian:sigma=1", named.c_str()});
  REQUIRE(test.openSample("gyroid", 12));
  ExportDialog& dialog = test.window->showExport();
  dialog.setPath(QStringLiteral("/somewhere/out-{}.nrrd"));
  REQUIRE(volumesHint(dialog).contains(QString(300, QLatin1Char('a'))));
  CHECK(dialog.minimumSizeHint().width() < 800);
}
