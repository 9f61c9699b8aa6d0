// The Lattice room: a configuration is opened or generated, its fields shown, played and smoothed.

#include <QCheckBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSlider>
#include <QStackedLayout>
#include <QToolButton>
#include <QUrl>
#include <fstream>
#include <iterator>

#include "core/lattice/configuration.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/wilson_flow.h"
#include "tests/support/catch.h"
#include "tests/ui/lattice/lattice_window.h"
#include "tests/ui/stall_monitor.h"
#include "ui/charts/color_scale.h"
#include "ui/charts/curve_chart.h"
#include "ui/controls/value_slider.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/lattice_room.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// A small configuration in a file.
std::filesystem::path writeSmall(TestWindow& test, const TemporaryFolder& folder, const char* name = "small.nersc") {
  const lattice::GaugeField field = lattice::hotStart(lattice::Lattice({4, 4, 4, 6}), 2);
  test.workshop.configurations->write(folder / name, field, {}, {});
  return folder / name;
}

std::optional<std::filesystem::path> realFile(const char* name) {
  const auto shared = sharedData();
  if (!shared || !std::filesystem::exists(*shared / "lattice" / name)) return std::nullopt;
  return *shared / "lattice" / name;
}

}  // namespace

TEST_CASE("a configuration opens with its header, its checks and a field") {
  LatticeTest test;
  REQUIRE(test.open(writeSmall(test, test.folder)));
  CHECK(test.find<QLabel>("latticeName").text().contains("small.nersc"_q));
  QStringList texts;
  for (const QLabel* label : test.window->findChildren<QLabel*>()) texts << label->text();
  CHECK(texts.contains("4 × 4 × 4 × 6"_q));
  CHECK(texts.contains("✓ matches"_q));
  CHECK(QSettings().value("recentFiles"_q).toStringList().front().endsWith("small.nersc"_q));
  const auto field = test.lattices().field();
  CHECK(field->volume->shape() == VolumeShape{4, 4, 4, 6});
  CHECK(field->volume->geometry().unit.empty());
  // Zero in the middle of the colors.
  const auto window = test.fields().colorBar().window();
  CHECK(test.fields().colorBar().map() == ColorMap::Diverging);
  CHECK(window[0] == -window[1]);
  CHECK(window[1] > 0);
  CHECK(test.fields().views().resultWindow() == window);
  CHECK(test.window->statusLine().text().contains("small.nersc"_q));
}

TEST_CASE("what is wrong with a file is told, and nothing is loaded") {
  LatticeTest test;
  const auto path = writeSmall(test, test.folder);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 100);
  const QSignalSpy failed(&test.lattices(), &LatticeController::failed);
  test.window->roomOf<LatticeRoom>().openConfiguration(toQt(path.string()));
  REQUIRE_SOON(!failed.isEmpty());
  CHECK(test.lattices().configuration() == nullptr);
  CHECK(test.message().contains("small.nersc"_q));
  // What is open stays.
  REQUIRE(test.open(writeSmall(test, test.folder, "other.nersc")));
  CHECK(test.message().isEmpty());
  const auto before = test.lattices().configuration();
  test.window->roomOf<LatticeRoom>().openConfiguration("/no/such/file"_q);
  REQUIRE_SOON(failed.size() == 2);
  CHECK(test.lattices().configuration() == before);
  CHECK(test.message().contains("/no/such/file"_q));
}

TEST_CASE("a configuration is known by its content, wherever it is opened or dropped") {
  LatticeTest test;
  const auto path = writeSmall(test, test.folder, "no-extension");
  test.window->enterRoom("filter");
  QMimeData mime;
  mime.setUrls({QUrl::fromLocalFile(toQt(path.string()))});
  QDragEnterEvent enter({10, 10}, Qt::CopyAction, &mime, Qt::LeftButton, {});
  QCoreApplication::sendEvent(test.window.get(), &enter);
  REQUIRE(enter.isAccepted());
  QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, {});
  QCoreApplication::sendEvent(test.window.get(), &drop);
  REQUIRE_SOON(test.window->room() == "lattice");
  REQUIRE(test.waitShown());
  CHECK(test.lattices().name() == "no-extension"_q);
  CHECK_FALSE(test.model().hasData());
}

TEST_CASE("a configuration is generated while its plaquettes are drawn, saved, and read back the same") {
  LatticeTest test;
  test.press("latticeBeginGenerate");
  auto& run = test.find<QPushButton>("generateRun");
  REQUIRE(run.isVisible());
  for (const char* box : {"generate-x", "generate-y", "generate-z", "generate-t"}) {
    auto& line = test.find<NumberBox>(box);
    typeInto(line, "4"_q);
  }
  QTest::mouseClick(&run, Qt::LeftButton);
  REQUIRE_SOON(test.lattices().configuration() != nullptr);
  REQUIRE(test.waitShown());
  CHECK(test.lattices().sweeps().size() == 100);
  CHECK(test.lattices().configuration()->info.plaquette == test.lattices().sweeps().back());
  CHECK(wait([&] {
    const std::vector<Curve>& curves = test.find<CurveChart>("latticeSweeps").plot().curves;
    return !curves.empty() && curves.front().y.size() == 100;
  }));
  CHECK_FALSE(test.lattices().saved());
  for (const char* name : {"made.nersc", "made.lime"}) {
    const QSignalSpy saved(&test.lattices(), &LatticeController::savedTo);
    test.lattices().save(toQt((test.folder / name).string()));
    REQUIRE_SOON(!saved.isEmpty());
    const auto read = test.workshop.configurations->read(test.folder / name, {}, {});
    CHECK(read.field == test.lattices().configuration()->field);
  }
  CHECK(test.lattices().saved());
}

TEST_CASE("generating is canceled by escape and leaves what was open") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 4}, 2));
  const auto before = test.lattices().configuration();
  GenerateSettings settings;
  settings.extents = {16, 16, 16, 16};
  settings.sweeps = 10000;
  test.lattices().generate(settings);
  REQUIRE(test.lattices().busy());
  QTest::keyClick(test.window.get(), Qt::Key_Escape);
  CHECK_FALSE(test.lattices().busy());
  CHECK(test.lattices().configuration() == before);
}

TEST_CASE("time slices are stepped, played in a loop and share their colors unless asked") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 6}, 3));
  REQUIRE(test.choose("latticeObservable", "energy"_q));
  const auto window = test.fields().views().resultWindow();
  auto& slider = test.find<QSlider>("latticeTime");
  CHECK(slider.maximum() == 5);
  slider.setValue(3);
  CHECK(test.fields().views().component() == 3);
  CHECK(test.fields().views().resultWindow() == window);
  test.find<QCheckBox>("latticePerSlice").click();
  CHECK(test.fields().views().resultWindow() != window);
  test.find<QCheckBox>("latticePerSlice").click();
  CHECK(test.fields().views().resultWindow() == window);
  test.fields().views().setFocus();
  QTest::keyClick(test.window->focusWidget(), Qt::Key_Space);
  CHECK(test.fields().player().playing());
  REQUIRE_SOON(slider.value() == 5);
  REQUIRE_SOON(slider.value() == 1);  // around the end
  CHECK(test.fields().views().component() == 1);
  test.press("latticePlay");
  CHECK_FALSE(test.fields().player().playing());
}

TEST_CASE("the parts of a Polyakov loop have no time, and their own colors") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 2}, 3));
  REQUIRE(test.choose("latticeObservable", "polyakov"_q));
  CHECK(test.find<QComboBox>("latticePart").isVisible());
  CHECK_FALSE(test.find<QSlider>("latticeTime").isEnabled());
  CHECK(test.fields().views().component() == static_cast<int>(LoopPart::Modulus));
  REQUIRE(test.choose("latticePart", "phase"_q));
  CHECK(test.fields().views().component() == static_cast<int>(LoopPart::Phase));
  CHECK(test.fields().colorBar().map() == ColorMap::Cyclic);
  CHECK(test.fields().colorBar().window()[1] == Approx(3.14159265));
  REQUIRE(test.choose("latticeObservable", "plaquette"_q));
  CHECK_FALSE(test.find<QComboBox>("latticePart").isVisible());
  CHECK(test.find<QSlider>("latticeTime").isEnabled());
}

TEST_CASE("the flow smooths, draws its curve, and goes back at once") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 4}, 20));
  REQUIRE(test.choose("latticeObservable", "energy"_q));
  const auto rough = test.lattices().field();
  const int below = test.find<QToolButton>("latticeSend").mapTo(test.window.get(), QPoint()).y();
  REQUIRE(test.flowTo("1"));
  const auto smooth = test.lattices().field();
  CHECK(smooth->flowSteps == 100);
  CHECK(smooth->mean < 0.5 * rough->mean);
  CHECK_SOON(test.lattices().curve().contains(100));
  const FlowPoint& point = test.lattices().curve().at(100);
  CHECK(point.energy == Approx(smooth->mean));
  CHECK(test.find<QLabel>("latticeNumbers").text().contains("Plaquette"_q));
  CHECK(test.find<QToolButton>("latticeSend").mapTo(test.window.get(), QPoint()).y() == below);
  CHECK_SOON(test.find<CurveChart>("latticeEnergy").plot().curves.front().x.size() == 101);
  REQUIRE(test.flowTo("0"));
  CHECK(test.lattices().field()->volume == rough->volume);
  CHECK(test.find<ValueSlider>("latticeFlowTimeSlider").realValue() == 0);
}

TEST_CASE("a flow that is stopped stays at the time that is shown") {
  LatticeTest test;
  REQUIRE(test.generate({8, 8, 8, 8}, 2));
  test.lattices().setFlowSteps(1000);
  REQUIRE_SOON(test.lattices().field()->flowSteps > 0);
  test.lattices().cancel();
  CHECK_FALSE(test.lattices().busy());
  const int steps = test.lattices().field()->flowSteps;
  CHECK(steps < 1000);
  CHECK(test.lattices().flowSteps() == steps);
  CHECK(test.find<NumberBox>("latticeFlowTime").value() == Approx(steps * lattice::kFlowStep));
}

TEST_CASE("the event loop turns while a flow runs and its slider is dragged") {
  LatticeTest test;
  REQUIRE(test.generate({8, 8, 8, 8}, 2));
  auto& slider = test.find<ValueSlider>("latticeFlowTimeSlider");
  StallMonitor monitor;
  monitor.restart();
  const int y = slider.height() / 2;
  QTest::mousePress(&slider, Qt::LeftButton, {}, QPoint(slider.width() / 50, y));
  for (int i = 1; i <= 10; ++i) {
    QTest::mouseMove(&slider, QPoint(slider.width() / 50 + i, y));
    QTest::qWait(30);
  }
  QTest::mouseRelease(&slider, Qt::LeftButton, {}, QPoint(slider.width() / 50 + 10, y));
  REQUIRE(test.waitShown());
  CHECK(test.lattices().flowSteps() > 0);
  std::cout << "largest gap of the event loop " << monitor.largestGapMilliseconds() << " ms\n";
  CHECK(monitor.ticks() > 10);
}

TEST_CASE("values from elsewhere are shown among the fields and go with their configuration") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 2, 2}, 1));
  const auto values = std::make_shared<std::vector<double>>(64, 0.0);
  (*values)[5] = 3;
  test.lattices().offer({{"solution", "|\u03c8|\u00b2 of the solution"_q, values}});
  REQUIRE(test.choose("latticeObservable", "solution"_q));
  CHECK(test.lattices().field()->volume->value(1, 1, 0, 0) == 3);
  CHECK(test.lattices().field()->sum == 3);
  CHECK_FALSE(test.find<ValueSlider>("latticeFlowTimeSlider").isVisible());
  REQUIRE(test.generate({4, 4, 2, 4}, 1));
  CHECK(test.find<QComboBox>("latticeObservable").findData("solution"_q) < 0);
  CHECK(test.lattices().choice() != "solution");
}

TEST_CASE("what spans decades has logarithmic colors, zeros included, unless somebody wants others") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 4}, 1));
  auto& box = test.find<QCheckBox>("latticeLogarithmic");
  CHECK_FALSE(box.isVisible());  // the charge density has both signs
  REQUIRE(test.choose("latticeObservable", "energy"_q));
  CHECK(box.isVisible());
  CHECK_FALSE(box.isChecked());
  const auto values = std::make_shared<std::vector<double>>(256, 0.0);
  (*values)[0] = 100;
  (*values)[1] = 1e-6;
  test.lattices().offer({{"solution", "|\u03c8|\u00b2 of the solution"_q, values}});
  REQUIRE(test.choose("latticeObservable", "solution"_q));
  CHECK(box.isChecked());
  CHECK(test.fields().colorBar().logarithmic());
  CHECK(test.fields().colorBar().window()[0] == Approx(-7));  // zeros are a decade below the smallest
  CHECK(test.fields().colorBar().window()[1] == Approx(2));
  CHECK(test.fields().views().resultWindow() == test.fields().colorBar().window());
  test.fields().views().setCrosshair({0, 0, 0});
  const QImage image = test.fields().renderToImage();
  int yellow = 0;  // the bright end: 100
  for (int y = 0; y < image.height() / 2; ++y)
    for (int x = 0; x < image.width() / 2; ++x) {
      const QRgb color = image.pixel(x, y);
      if (qRed(color) > 220 && qGreen(color) > 210 && qBlue(color) < 80) ++yellow;
    }
  CHECK(yellow > 20);
  // What is exported and what is under the mouse stay values, not logarithms.
  CHECK(test.lattices().field()->volume->value(0, 0, 0, 0) == 100);
  Q_EMIT test.fields().views().hovered({true, {1, 0, 0}, {}, {}, {-6}});
  CHECK(test.find<QLabel>("latticeHover").text().startsWith("1e-06"_q));
  box.click();
  CHECK_FALSE(test.fields().colorBar().logarithmic());
  CHECK(test.fields().colorBar().window() == std::array<double, 2>{0, 100});
  // Each kind of field keeps what was chosen for it.
  REQUIRE(test.choose("latticeObservable", "energy"_q));
  box.click();
  CHECK(test.fields().colorBar().logarithmic());
  REQUIRE(test.choose("latticeObservable", "charge"_q));
  CHECK_FALSE(test.fields().colorBar().logarithmic());
  CHECK_FALSE(box.isVisible());
  REQUIRE(test.choose("latticeObservable", "solution"_q));
  CHECK_FALSE(test.fields().colorBar().logarithmic());
}

TEST_CASE("the window stays small enough in the Lattice room") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 4}, 1));
  test.press("latticeGenerate");
  QTest::qWait(0);
  CHECK(test.window->minimumSizeHint().width() <= 1100);
  CHECK(test.window->minimumSizeHint().height() <= 700);
}

TEST_CASE("every control of the Lattice room has a name and a tip") {
  LatticeTest test;
  REQUIRE(test.generate({4, 4, 4, 4}, 1));
  for (const char* name :
       {"latticeOpen", "latticeGenerate", "latticeSave", "latticeObservable", "latticeFlowTimeSlider",
        "latticeFlowTime", "latticePlay", "latticeTime", "latticeRate", "latticeSend", "latticeExport",
        "latticePerSlice", "generateRun", "generateBeta", "generateSweeps", "generateSeed", "generateStart"}) {
    INFO(name);
    const auto& control = test.find<QWidget>(name);
    CHECK_FALSE(control.toolTip().isEmpty());
    CHECK(control.focusPolicy() != Qt::NoFocus);
    const auto* button = qobject_cast<const QAbstractButton*>(&control);
    CHECK((!control.accessibleName().isEmpty() || (button && !button->text().isEmpty())));
  }
}

TEST_CASE("a real configuration shows the charge and energy that other programs found") {
  const auto path = realFile("atb_nersc.l8t4b3360");
  if (!path) SSCOPE_SKIP("no real configurations beside the checkout");
  LatticeTest test;
  REQUIRE(test.open(*path));
  CHECK(test.lattices().field()->sum == Approx(-0.5011871833).epsilon(1e-8));
  REQUIRE(test.flowTo("1"));
  CHECK(test.lattices().field()->sum == Approx(0.7631869920).epsilon(1e-8));
  CHECK_SOON(test.lattices().curve().contains(100));
  CHECK(test.lattices().curve().at(100).energy == Approx(0.3423307924).epsilon(1e-8));
}

TEST_CASE("a file without dimensions asks for them in the room") {
  const auto path = realFile("pyquda_weak_field.lime");
  if (!path) SSCOPE_SKIP("no real configurations beside the checkout");
  LatticeTest test;
  // A copy that does not say what it is.
  std::ifstream original(*path, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(original)), {});
  for (const char* said : {"ildg-format", "scidac-private-file-xml"}) {
    const std::size_t record = content.find(said);
    REQUIRE(record != std::string::npos);
    content[record] = 'x';
  }
  std::ofstream(test.folder / "unnamed.lime", std::ios::binary) << content;
  test.window->roomOf<LatticeRoom>().openConfiguration(toQt((test.folder / "unnamed.lime").string()));
  REQUIRE_SOON(!test.lattices().busy());
  CHECK(test.lattices().configuration() == nullptr);
  CHECK(test.message().contains("does not state its dimensions"_q));
  auto& open = test.find<QPushButton>("latticeWithExtents");
  REQUIRE(open.isVisible());
  // Dimensions that do not fit are asked for again.
  QTest::mouseClick(&open, Qt::LeftButton);
  REQUIRE_SOON(test.message().contains("other dimensions"_q));
  REQUIRE(open.isVisible());
  for (const auto& [box, extent] :
       {std::pair{"extents-x", "4"}, {"extents-y", "4"}, {"extents-z", "4"}, {"extents-t", "8"}}) {
    auto& line = test.find<NumberBox>(box);
    line.selectAll();
    QTest::keyClicks(&line, QString::fromLatin1(extent));
    QTest::keyClick(&line, Qt::Key_Return);
  }
  QTest::mouseClick(&open, Qt::LeftButton);
  REQUIRE(test.waitShown());
  CHECK(test.lattices().field()->volume->shape() == VolumeShape{4, 4, 4, 8});
  CHECK_FALSE(open.isVisible());
}
