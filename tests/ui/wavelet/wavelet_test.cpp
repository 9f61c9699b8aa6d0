// The Wavelet room: a transform runs, the threshold moves the reconstruction, everything can be undone, canceled, saved
// and exported.

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "tests/support/catch.h"
#include "tests/support/largest.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/curve_chart.h"
#include "ui/controls/number_box.h"
#include "ui/controls/value_slider.h"
#include "ui/rooms/wavelet/wavelet_charts.h"
#include "ui/rooms/wavelet/wavelet_page.h"
#include "ui/rooms/wavelet/wavelet_pictures.h"
#include "ui/rooms/wavelet/wavelet_room.h"
#include "ui/views/volume_views.h"
#include "ui/window/bars.h"
#include "ui/window/export_dialog.h"

using namespace sscope;
using namespace sscope::test;

namespace {

struct WaveletTest : TestWindow {
  WaveletTest() { window->enterRoom("wavelet"); }
  WaveletController& wavelets() { return window->roomOf<WaveletRoom>().controller(); }
  // The result of what the session says now.
  bool waitCurrent() {
    return wait([this] { return wavelets().current() && wavelets().result() != nullptr; });
  }
  bool open(const char* sample, std::int64_t size) {
    const QSignalSpy loaded(&window->loader(), &DataLoader::loaded);
    window->loader().openSample(sample, size);
    return wait([&] { return !loaded.isEmpty(); }) && waitCurrent();
  }
  // Types a number into a box and waits for what comes of it.
  bool type(const char* box, const char* text) {
    auto& line = find<NumberBox>(box);
    typeInto(line, QLatin1String(text));
    return waitCurrent();
  }
  bool choose(const char* name, const char* data) {
    auto& box = find<QComboBox>(name);
    const int index = box.findData(QLatin1String(data));
    REQUIRE(index >= 0);
    box.setCurrentIndex(index);
    Q_EMIT box.activated(index);
    return waitCurrent();
  }
  const WaveletResult& result() { return *wavelets().result(); }
};

double largestDifference(const Volume& a, const Volume& b) {
  REQUIRE(a.shape() == b.shape());
  double largest = 0;
  for (std::int64_t z = 0; z < a.shape().nz; ++z)
    for (std::int64_t y = 0; y < a.shape().ny; ++y)
      for (std::int64_t x = 0; x < a.shape().nx; ++x)
        largest = test::larger(largest, std::abs(a.value(x, y, z) - b.value(x, y, z)));
  return largest;
}

}  // namespace

TEST_CASE("the wavelet room transforms what is open and tells what ran where") {
  WaveletTest test;
  REQUIRE(test.open("marschner-lobb", 24));
  const WaveletResult& result = test.result();
  CHECK(result.layout.levels == 3);
  REQUIRE(result.coefficients);
  CHECK(result.coefficients->shape() == VolumeShape{24, 24, 24, 1});
  CHECK(result.bands.size() == 1 + 3 * 7);
  CHECK(result.pyramid->shape() == result.coefficients->shape());
  CHECK(test.window->roomOf<WaveletRoom>().waveletPage().pictures().pyramid().isVisible());
  REQUIRE_SOON(test.wavelets().verification() != nullptr);
  CHECK(test.wavelets().verification()->verified);
  const QString status = test.window->statusLine().text();
  CHECK(status.contains(toQt(test.workshop.engines.preferred().info().id)));
  CHECK(status.contains("3 levels"_q));
  const std::string& coverage = test.wavelets().verification()->coverage;
  REQUIRE_FALSE(coverage.empty());
  CHECK(status.contains(toQt(coverage)));
  CHECK(test.find<QLabel>("waveletNumbers").text().contains("PSNR"_q));
  // Every band but the averages, then all of them.
  CHECK(test.find<BarChart>("waveletEnergy").plot().bars.size() == result.bands.size() - 1);
  test.find<QCheckBox>("waveletDetailsOnly").click();
  const auto& bars = test.find<BarChart>("waveletEnergy").plot().bars;
  REQUIRE(bars.size() == result.bands.size());
  double sum = 0;
  for (const Bar& bar : bars) sum += *bar.before;
  CHECK(sum == Approx(100));
}

TEST_CASE("without a threshold the reconstruction is the source, with one it is not, and undo takes it back") {
  WaveletTest test;
  REQUIRE(test.open("gyroid", 21));  // extends to 24
  CHECK(test.result().coefficients->shape() == VolumeShape{24, 24, 24, 1});
  REQUIRE(test.type("waveletThreshold", "0"));
  CHECK_FALSE(test.model().settings<WaveletSettings>().automatic);
  CHECK(test.result().threshold == 0);
  CHECK(test.result().source->type() == ElementType::f32);
  CHECK(test.result().error.relativeL2 < 1e-6);
  CHECK(largestDifference(*test.result().result, *test.result().source) < 1e-5);

  const double threshold = test.result().largest / 4;
  const auto before = test.result().result;
  const double kept = test.result().keptShare();
  REQUIRE(test.type("waveletThreshold", qPrintable(QString::number(threshold, 'g', 3))));
  CHECK(test.result().forwardReused);
  CHECK(test.result().threshold == Approx(threshold).epsilon(0.01));
  CHECK(test.result().keptShare() < kept);
  const double soft = test.result().error.relativeL2;
  CHECK(soft > 1e-4);
  CHECK(largestDifference(*test.result().result, *before) > 1e-6);
  REQUIRE(test.choose("waveletRule", "hard"));
  CHECK(test.result().error.relativeL2 < soft);

  test.model().undoStack().undo();
  REQUIRE(test.waitCurrent());
  CHECK(test.result().error.relativeL2 == Approx(soft));
  // Numbers typed one after the other are one step.
  test.model().undoStack().undo();
  REQUIRE(test.waitCurrent());
  CHECK(test.model().settings<WaveletSettings>().automatic);
  CHECK(test.result().threshold == test.result().suggested);
}

TEST_CASE("a dragged slider moves the picture and is one step to undo") {
  WaveletTest test;
  REQUIRE(test.open("marschner-lobb", 32));
  auto& slider = test.find<ValueSlider>("waveletSlider");
  const int steps = test.model().undoStack().count();
  const QSignalSpy ready(&test.wavelets(), &WaveletController::ready);
  const int y = slider.height() / 2;
  QTest::mousePress(&slider, Qt::LeftButton, {}, QPoint(slider.width() / 4, y));
  for (int i = 1; i <= 8; ++i) {
    QTest::mouseMove(&slider, QPoint(slider.width() / 4 + i * slider.width() / 16, y));
    const auto count = ready.size();
    REQUIRE_SOON(ready.size() > count);
  }
  QTest::mouseRelease(&slider, Qt::LeftButton, {}, QPoint(3 * slider.width() / 4, y));
  REQUIRE(test.waitCurrent());
  CHECK(test.result().threshold > 0);
  CHECK(test.result().threshold == test.model().settings<WaveletSettings>().threshold);
  CHECK(test.model().undoStack().count() == steps + 1);
  CHECK(test.window->roomOf<WaveletRoom>().waveletPage().pictures().picture().crosshair() == test.model().crosshair());
}

TEST_CASE("more levels than the data have are corrected, and the reason is told") {
  WaveletTest test;
  WaveletSettings settings = test.model().settings<WaveletSettings>();
  settings.levels = 9;
  test.model().edit(settings);
  REQUIRE(test.open("gyroid", 12));
  CHECK(test.result().layout.levels == mostLevels({12, 12, 12, 1}));
  auto& notice = test.find<Notice>("waveletNotice");
  CHECK(notice.isVisible());
  CHECK(notice.message().contains("instead of 9"_q));
}

TEST_CASE("a transform that cannot be is not said to be computed") {
  WaveletTest test;
  Volume one({1, 1, 1, 1}, ElementType::f32);
  one.elements<float>()[0] = 5;
  test.workshop.io->write(test.folder / "one.nrrd", one, {});
  const QSignalSpy failed(&test.wavelets(), &WaveletController::failed);
  REQUIRE(test.openFile(test.folder / "one.nrrd"));
  REQUIRE_SOON(!failed.isEmpty());
  CHECK(test.find<QLabel>("waveletNumbers").text() == "none"_q);
}

TEST_CASE("escape cancels a transform") {
  WaveletTest test;
  REQUIRE(test.open("gyroid", 96));
  const auto before = test.wavelets().result();
  WaveletSettings settings = test.model().settings<WaveletSettings>();
  settings.wavelet = "sym10";
  const QSignalSpy canceled(&test.wavelets(), &WaveletController::canceled);
  test.model().edit(settings);
  REQUIRE_SOON(test.wavelets().busy());
  QTest::keyClick(test.window.get(), Qt::Key_Escape);
  CHECK(canceled.size() == 1);
  CHECK_FALSE(test.wavelets().busy());
  CHECK(test.window->statusLine().text().contains("canceled"_q));
  QTest::qWait(200);
  CHECK(test.wavelets().result() == before);
  CHECK_FALSE(test.wavelets().current());
  test.wavelets().runAgain();
  REQUIRE(test.waitCurrent());
  CHECK(test.wavelets().result() != before);
}

TEST_CASE("coefficients and reconstruction are exported and read back equal") {
  WaveletTest test;
  REQUIRE(test.open("marschner-lobb", 20));
  REQUIRE(exportTo(test, 0, test.folder / "back.nrrd").size() == 1);
  REQUIRE(exportTo(test, 1, test.folder / "coefficients.nrrd").size() == 1);
  const Volume back = test.workshop.io->read((test.folder / "back.nrrd").string(), {}).volume;
  CHECK(largestDifference(back, *test.result().result) == 0);
  const Volume coefficients = test.workshop.io->read((test.folder / "coefficients.nrrd").string(), {}).volume;
  CHECK(largestDifference(coefficients, *test.result().coefficients) == 0);
  REQUIRE(exportTo(test, 4, test.folder / "energy.png").size() == 1);
  CHECK_FALSE(QImage(toQt((test.folder / "energy.png").string())).isNull());
  REQUIRE(exportTo(test, 7, test.folder / "functions.csv").size() == 1);
  CHECK(exportTo(test, 0, "/no/such/folder/back.nrrd").isEmpty());
  // Only formats that can hold a volume are offered.
  for (const QLabel* label : test.window->showExport().findChildren<QLabel*>())
    if (label->text().startsWith("The extension"_q)) CHECK_FALSE(label->text().contains(".png"_q));
}

TEST_CASE("a saved session opens in the wavelet room with its settings") {
  const TemporaryFolder folder;
  WaveletSettings settings;
  settings.wavelet = "db3";
  settings.levels = 2;
  settings.automatic = false;
  settings.threshold = 0.125;
  settings.rule = "hard";
  double error = 0;
  {
    WaveletTest test;
    REQUIRE(test.open("marschner-lobb", 20));
    test.model().edit(settings);
    REQUIRE(test.waitCurrent());
    error = test.result().error.relativeL2;
    test.save(toQt((folder / "work.json").string()));
  }
  TestWindow test;
  CHECK(test.window->room() == "filter");
  REQUIRE(test.openFile(folder / "work.json"));
  CHECK(test.window->room() == "wavelet");
  CHECK(test.model().settings<WaveletSettings>() == settings);
  REQUIRE_SOON(test.window->roomOf<WaveletRoom>().controller().current());
  CHECK(test.window->roomOf<WaveletRoom>().controller().result()->error.relativeL2 == Approx(error));
  CHECK(test.find<NumberBox>("waveletThreshold").value() == 0.125);
}

TEST_CASE("the magic filter's round trip over frequency is measured as computed") {
  WaveletTest test;
  REQUIRE(test.open("marschner-lobb", 20));
  REQUIRE(test.choose("waveletTransform", "magic"));
  CHECK(test.result().coefficients == nullptr);
  CHECK(test.result().error.relativeL2 > 0);
  CHECK(test.result().error.relativeL2 < 0.5);
  const CurvePlot& plot = test.find<CurveChart>("magicRoundTrip").plot();
  REQUIRE(plot.curves.size() == 2);
  const Curve &computed = plot.curves[0], &measured = plot.curves[1];
  REQUIRE(computed.x.size() == measured.x.size());
  for (std::size_t i = 0; i < computed.x.size(); ++i) {
    INFO("frequency " << computed.x[i]);
    CHECK(measured.y[i] == Approx(computed.y[i]).margin(1e-12));
  }
  CHECK(computed.y.front() < 1e-12);  // constants come back
  CHECK(computed.y.back() > 0.01);    // the highest frequency does not
  const auto forward = test.wavelets().result()->result;
  REQUIRE(test.choose("waveletDirection", "inverse"));
  CHECK(largestDifference(*forward, *test.result().result) > 1e-6);
}

TEST_CASE("the wavelet room computes only while it is open") {
  WaveletTest test;
  REQUIRE(test.open("gyroid", 16));
  const auto before = test.wavelets().result();
  test.window->enterRoom("filter");
  WaveletSettings settings = test.model().settings<WaveletSettings>();
  settings.wavelet = "haar";
  test.model().edit(settings);
  QTest::qWait(50);
  CHECK(test.wavelets().result() == before);
  test.window->enterRoom("wavelet");
  REQUIRE(test.waitCurrent());
  CHECK(test.wavelets().result() != before);
}

TEST_CASE("the window stays small enough in the wavelet room") {
  WaveletTest test;
  REQUIRE(test.open("gyroid", 16));
  QTest::qWait(0);
  CHECK(test.window->minimumSizeHint().width() <= 1100);
  CHECK(test.window->minimumSizeHint().height() <= 700);
}

TEST_CASE("without data the wavelet room offers samples, too") {
  WaveletTest test;
  const auto gallery = [&] {
    return test.window->roomOf<WaveletRoom>().waveletPage().findChild<QToolButton*>("sample-gyroid"_q);
  };
  REQUIRE_SOON(gallery() != nullptr && gallery()->isVisible());
  REQUIRE(test.open("gyroid", 12));
  CHECK_FALSE(gallery()->isVisible());
}
