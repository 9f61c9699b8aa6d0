#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <limits>

#include "datasets/samples.h"
#include "tests/support/catch.h"
#include "tests/views/views_support.h"
#include "ui/views/slice_pane.h"
#include "ui/views/volume_pane.h"
#include "ui/views/volume_views.h"

using namespace sscope;
using namespace sscope::test;

namespace {

constexpr std::int64_t kSize = 24;

struct Shown {
  VolumeViews views;
  explicit Shown(std::shared_ptr<const Volume> source, VolumeViews::Show show = VolumeViews::Show::Source,
                 const QSize& size = {800, 600}) {
    views.setInterpolation(false);
    views.setSource(std::move(source));
    views.setShow(show);
    showAt(views, size);
  }
  [[nodiscard]] SlicePane& pane(VolumeViews::View view) {
    return *views.findChildren<SlicePane*>().at(static_cast<int>(view));
  }
  // The gray at a voxel's place in a pane.
  [[nodiscard]] double gray(VolumeViews::View view, const VoxelIndex& voxel, std::size_t side = kSourceSide) {
    SlicePane& p = pane(view);
    return lightnessAround(pictureOf(p), p.positionOf(voxel, side).toPoint(), 2);
  }
};

void send(QWidget& widget, QEvent::Type type, const QPointF& at, Qt::MouseButton button,
          Qt::KeyboardModifiers modifiers = {}) {
  const Qt::MouseButtons held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::MouseButtons(button);
  QMouseEvent event(type, at, widget.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : button, held,
                    modifiers);
  QApplication::sendEvent(&widget, &event);
}

void pressKey(QWidget& widget, int key) { sendKey(widget, key); }

// The brightest place of a pane, found without knowing its geometry; the crosshair and the letters are hidden by
// looking only at pixels that are pure white.
QPointF whiteCenter(const QImage& image) {
  double x = 0, y = 0, n = 0;
  for (int j = 40; j < image.height() - 40; ++j)
    for (int i = 0; i < image.width(); ++i)
      if (image.pixel(i, j) == 0xFFFFFFFF) {
        x += i;
        y += j;
        n += 1;
      }
  return n > 20 ? QPointF(x / n, y / n) : QPointF(-1, -1);
}

}  // namespace

TEST_CASE("of data in no known space no side of a patient is named") {
  const auto source = std::make_shared<const Volume>(test::randomVolume({6, 5, 4, 1}, ElementType::u8, 1));
  VolumeViews views;
  const auto letters = [&](bool inSpace) {
    views.setMeaning({}, inSpace);
    views.setSource(source);
    const auto& all = views.findChildren<SlicePane*>().front()->plane().letters;
    return std::string(all.begin(), all.end());
  };
  CHECK(letters(true) == "RLAP");
  CHECK(letters(false) == "    ");
}

TEST_CASE("a bright voxel appears at its place in every slice") {
  const VoxelIndex mark{4, 7, 18};
  const bool ras = GENERATE(false, true);
  Geometry geometry;
  if (ras) geometry.direction = {-1, 0, 0, 0, -1, 0, 0, 0, 1};
  Shown shown(markedVolume({kSize, kSize, kSize, 1}, mark, 100, 900, geometry));
  shown.views.setSourceWindow(ValueWindow{0, 900});
  shown.views.setCrosshair(mark);
  for (const auto view : {VolumeViews::View::Axial, VolumeViews::View::Coronal, VolumeViews::View::Sagittal}) {
    SlicePane& pane = shown.pane(view);
    const QImage image = pictureOf(pane);
    const QPointF found = whiteCenter(image);
    CAPTURE(static_cast<int>(view), ras, found.x(), found.y());
    REQUIRE(found.x() >= 0);
    const double x = found.x() / image.width(), y = found.y() / image.height();
    const QPointF told = pane.positionOf(mark, kSourceSide);
    CHECK(std::abs(found.x() - told.x()) < 3);
    CHECK(std::abs(found.y() - told.y()) < 3);
    // x 4 of 24 is on the right of the patient, so on the left of the picture, unless the index runs the other way;
    // y 7 is anterior: high in the axial, left in the sagittal slice; z 18 is superior: high.
    if (view != VolumeViews::View::Sagittal) CHECK((x < 0.5) == !ras);
    if (view == VolumeViews::View::Axial) CHECK((y < 0.5) == !ras);
    if (view == VolumeViews::View::Sagittal) CHECK((x < 0.5) == !ras);
    if (view != VolumeViews::View::Axial) CHECK(y < 0.5);
  }
  shown.views.setCrosshair({mark[0], mark[1], mark[2] - 1});
  CHECK(whiteCenter(pictureOf(shown.pane(VolumeViews::View::Axial))).x() < 0);
}

TEST_CASE("voxels keep their shape") {
  Geometry geometry;
  geometry.spacing = {1, 1, 4};
  Shown shown(markedVolume({40, 40, 10, 1}, {20, 20, 5}, 100, 900, geometry));
  SlicePane& pane = shown.pane(VolumeViews::View::Coronal);
  const QPointF a = pane.positionOf({0, 20, 0}, 0), b = pane.positionOf({10, 20, 0}, 0),
                c = pane.positionOf({0, 20, 5}, 0);
  CHECK((b.x() - a.x()) / 10 == Approx((a.y() - c.y()) / 20));
}

TEST_CASE("the window changes the grays") {
  const VoxelIndex plain{3, 3, 12};
  Shown shown(markedVolume({kSize, kSize, kSize, 1}, {20, 20, 20}, 50, 100));
  shown.views.setSourceWindow(ValueWindow{0, 100});
  CHECK(shown.gray(VolumeViews::View::Axial, plain) == Approx(128).margin(3));
  shown.views.setSourceWindow(ValueWindow{0, 200});
  CHECK(shown.gray(VolumeViews::View::Axial, plain) == Approx(64).margin(3));
  CHECK_FALSE(shown.views.sourceWindowAutomatic());

  SECTION("by the mouse, too") {
    std::array<double, 2> told{};
    QObject::connect(&shown.views, &VolumeViews::windowChanged, [&](bool result, double low, double high) {
      CHECK_FALSE(result);
      told = {low, high};
    });
    SlicePane& pane = shown.pane(VolumeViews::View::Axial);
    send(pane, QEvent::MouseButtonPress, {100, 100}, Qt::RightButton);
    send(pane, QEvent::MouseMove, {160, 100}, Qt::RightButton);
    send(pane, QEvent::MouseButtonRelease, {160, 100}, Qt::RightButton);
    CHECK(told[1] - told[0] > 250);
    CHECK(shown.views.sourceWindow() == told);
    shown.views.setSourceWindow(std::nullopt);
    CHECK(shown.views.sourceWindowAutomatic());
    CHECK(shown.views.sourceWindow()[1] <= 100);
  }
}

TEST_CASE("a click sets the crosshair, the wheel and the keys step") {
  Shown shown(markedVolume({kSize, kSize + 6, kSize + 9, 1}, {2, 2, 2}, 1, 2));
  const VoxelIndex wanted{7, 21, 10};
  shown.views.setCrosshair({1, 1, 10});
  int told = 0;
  QObject::connect(&shown.views, &VolumeViews::crosshairChanged, [&](const VoxelIndex&) { ++told; });
  SlicePane& axial = shown.pane(VolumeViews::View::Axial);
  const QPointF at = axial.positionOf(wanted, kSourceSide);
  send(axial, QEvent::MouseButtonPress, at, Qt::LeftButton);
  CHECK(shown.views.crosshair() == wanted);
  send(axial, QEvent::MouseMove, axial.positionOf({9, 21, 10}, 0), Qt::LeftButton);
  send(axial, QEvent::MouseButtonRelease, at, Qt::LeftButton);
  CHECK(shown.views.crosshair() == VoxelIndex{9, 21, 10});
  CHECK(told == 2);
  // Outside the data: the nearest voxel.
  send(axial, QEvent::MouseButtonPress, {0, 0}, Qt::LeftButton);
  send(axial, QEvent::MouseButtonRelease, {0, 0}, Qt::LeftButton);
  CHECK(shown.views.crosshair()[1] == 0);

  QWheelEvent wheel({50, 50}, axial.mapToGlobal(QPointF(50, 50)), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(&axial, &wheel);
  CHECK(shown.views.crosshair()[2] == 12);
  axial.setFocus();
  pressKey(axial, Qt::Key_Down);
  CHECK(shown.views.crosshair()[2] == 11);
  pressKey(axial, Qt::Key_PageDown);
  pressKey(axial, Qt::Key_PageDown);
  CHECK(shown.views.crosshair()[2] == 0);
}

TEST_CASE("zoom keeps the place under the mouse, pan moves, R resets") {
  Shown shown(markedVolume({kSize, kSize, kSize, 1}, {2, 2, 2}, 1, 2));
  SlicePane& pane = shown.pane(VolumeViews::View::Axial);
  const VoxelIndex voxel{5, 6, 12};
  const QPointF before = pane.positionOf(voxel, 0);
  QWheelEvent wheel(before, pane.mapToGlobal(before), {}, {0, 360}, Qt::NoButton, Qt::ControlModifier,
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(&pane, &wheel);
  CHECK(std::abs(pane.positionOf(voxel, 0).x() - before.x()) < 0.01);
  CHECK(pane.positionOf({6, 6, 12}, 0).x() - before.x() > 1.5 * 600 / 2 / (kSize * 1.04));
  send(pane, QEvent::MouseButtonPress, {50, 50}, Qt::MiddleButton);
  send(pane, QEvent::MouseMove, {70, 40}, Qt::MiddleButton);
  send(pane, QEvent::MouseButtonRelease, {70, 40}, Qt::MiddleButton);
  CHECK(pane.positionOf(voxel, 0).x() == Approx(before.x() + 20));
  CHECK(pane.positionOf(voxel, 0).y() == Approx(before.y() - 10));
  pressKey(pane, Qt::Key_R);
  CHECK(pane.positionOf(voxel, 0).x() == Approx(before.x()));
}

TEST_CASE("a preview replaces the result's slices until the crosshair leaves it") {
  const VolumeShape shape{kSize, kSize, kSize, 1};
  const auto filled = [](const VolumeShape& s, float value) { return markedVolume(s, {0, 0, 0}, value, value); };
  Shown shown(filled(shape, 0), VolumeViews::Show::Result);
  CHECK(shown.gray(VolumeViews::View::Axial, {4, 4, 12}) < 40);  // nothing yet
  shown.views.setResultWindow(ValueWindow{0, 100});
  shown.views.setResult(filled(shape, 40));
  CHECK(shown.gray(VolumeViews::View::Axial, {4, 4, 12}, kResultSide) == Approx(102).margin(3));

  const VoxelIndex at{12, 12, 12};
  shown.views.setPreview(
      {filled({kSize, kSize, 1, 1}, 80), filled({kSize, 1, kSize, 1}, 60), filled({1, kSize, kSize, 1}, 20)}, at);
  CHECK(shown.gray(VolumeViews::View::Axial, {4, 4, 12}, kResultSide) == Approx(204).margin(3));
  CHECK(shown.gray(VolumeViews::View::Coronal, {4, 12, 4}, kResultSide) == Approx(153).margin(3));
  CHECK(shown.gray(VolumeViews::View::Sagittal, {12, 4, 4}, kResultSide) == Approx(51).margin(3));
  shown.views.setCrosshair({12, 12, 13});
  CHECK(shown.gray(VolumeViews::View::Axial, {4, 4, 13}, kResultSide) == Approx(102).margin(3));
  CHECK(shown.gray(VolumeViews::View::Coronal, {4, 12, 4}, kResultSide) == Approx(153).margin(3));
  shown.views.setResult(filled(shape, 90));
  CHECK(shown.gray(VolumeViews::View::Coronal, {4, 12, 4}, kResultSide) == Approx(230).margin(3));
  // Of data shown earlier: ignored.
  shown.views.setResult(filled({4, 4, 4, 1}, 10));
  shown.views.setPreview({filled({4, 4, 1, 1}, 10), nullptr, nullptr}, {12, 12, 13});
  CHECK(shown.gray(VolumeViews::View::Axial, {4, 4, 13}, kResultSide) == Approx(230).margin(3));
}

TEST_CASE("both sides stand beside each other, linked") {
  const VolumeShape shape{kSize, kSize, kSize, 1};
  Shown shown(markedVolume(shape, {0, 0, 0}, 100, 100), VolumeViews::Show::Both);
  shown.views.setSourceWindow(ValueWindow{0, 200});
  shown.views.setResultWindow(ValueWindow{0, 200});
  shown.views.setResult(markedVolume(shape, {0, 0, 0}, 40, 40));
  const auto view = VolumeViews::View::Axial;
  CHECK(shown.gray(view, {4, 4, 12}, kSourceSide) == Approx(128).margin(3));
  CHECK(shown.gray(view, {4, 4, 12}, kResultSide) == Approx(51).margin(3));
  SlicePane& pane = shown.pane(view);
  const double half = pane.width() / 2.0;
  CHECK(pane.positionOf({4, 4, 12}, kResultSide).x() - pane.positionOf({4, 4, 12}, kSourceSide).x() == Approx(half));
  send(pane, QEvent::MouseButtonPress, pane.positionOf({9, 3, 12}, kResultSide), Qt::LeftButton);
  CHECK(shown.views.crosshair() == VoxelIndex{9, 3, 12});
  keepPicture(pictureOf(shown.views), "both"_q);
}

TEST_CASE("color images are shown in color, one component in gray") {
  Volume image({16, 12, 1, 3}, ElementType::u8);
  auto elements = image.elements<std::uint8_t>();
  for (std::size_t i = 0; i < elements.size(); i += 3) {
    const bool left = i / 3 % 16 < 8;
    elements[i] = left ? 250 : 10;
    elements[i + 1] = 120;
    elements[i + 2] = left ? 30 : 200;
  }
  Shown shown(std::make_shared<const Volume>(std::move(image)));
  CHECK(shown.views.component() == -1);
  SlicePane& pane = shown.pane(VolumeViews::View::Axial);
  CHECK(pane.size() == shown.views.size());  // data of one slice have one view
  CHECK_FALSE(shown.pane(VolumeViews::View::Coronal).isVisible());
  const QPoint left = pane.positionOf({3, 3, 0}, 0).toPoint(), right = pane.positionOf({12, 3, 0}, 0).toPoint();
  CHECK(left.y() < pane.height() / 2);  // y grows downward
  QImage picture = pictureOf(pane);
  CHECK(closeTo(picture.pixel(left), QColor(250, 120, 30)));
  CHECK(closeTo(picture.pixel(right), QColor(10, 120, 200)));
  shown.views.setComponent(2);
  shown.views.setSourceWindow(ValueWindow{0, 255});
  picture = pictureOf(pane);
  CHECK(closeTo(picture.pixel(left), QColor(30, 30, 30)));
}

TEST_CASE("what is under the mouse is told") {
  auto source = markedVolume({kSize, kSize, kSize, 1}, {5, 6, 12}, 1, 77);
  Shown shown(source, VolumeViews::Show::Source);
  shown.views.setResult(markedVolume({kSize, kSize, kSize, 1}, {5, 6, 12}, 2, 33));
  HoverInfo info;
  QObject::connect(&shown.views, &VolumeViews::hovered, [&](const HoverInfo& told) { info = told; });
  SlicePane& pane = shown.pane(VolumeViews::View::Axial);
  send(pane, QEvent::MouseMove, pane.positionOf({5, 6, 12}, 0), Qt::NoButton);
  CHECK(info.inside);
  CHECK(info.voxel == VoxelIndex{5, 6, 12});
  CHECK(info.position == std::array<double, 3>{5, 6, 12});
  CHECK(info.source == std::vector<double>{77});
  CHECK(info.result == std::vector<double>{33});
  shown.views.setPreview({markedVolume({kSize, kSize, 1, 1}, {5, 6, 0}, 2, 44), nullptr, nullptr}, {12, 12, 12});
  send(pane, QEvent::MouseMove, pane.positionOf({5, 6, 12}, 0), Qt::NoButton);
  CHECK(info.result == std::vector<double>{44});
  send(pane, QEvent::MouseMove, {1, 1}, Qt::NoButton);
  CHECK_FALSE(info.inside);
}

TEST_CASE("each view can have the window to itself") {
  Shown shown(markedVolume({kSize, kSize, kSize, 1}, {5, 6, 12}, 1, 77));
  VolumeViews& views = shown.views;
  int told = 0;
  QObject::connect(&views, &VolumeViews::layoutChanged, [&] { ++told; });
  pressKey(views, Qt::Key_2);
  CHECK(views.viewLayout() == VolumeViews::Layout::Coronal);
  CHECK(shown.pane(VolumeViews::View::Coronal).size() == views.size());
  CHECK_FALSE(shown.pane(VolumeViews::View::Axial).isVisible());
  pressKey(views, Qt::Key_2);
  CHECK(views.viewLayout() == VolumeViews::Layout::All);
  send(shown.pane(VolumeViews::View::Sagittal), QEvent::MouseButtonDblClick, {30, 30}, Qt::LeftButton);
  CHECK(views.viewLayout() == VolumeViews::Layout::Sagittal);
  CHECK(told == 3);
}

TEST_CASE("the 3D view is drawn without holding up the window") {
  auto volume = std::make_shared<const Volume>(makeSample("gyroid", 48, 1, {}));
  Shown shown(volume, VolumeViews::Show::Source, {600, 500});
  auto* pane = shown.views.findChild<VolumePane*>();
  REQUIRE(waitFor([&] { return !pane->refining(); }, 120000));
  const QImage image = pictureOf(*pane);
  const QRect middle(image.width() / 4, image.height() / 4, image.width() / 2, image.height() / 2);
  const QImage part = image.copy(middle);
  // Both signs: warm and cold colors.
  int warm = 0, cold = 0;
  for (int y = 0; y < part.height(); ++y)
    for (int x = 0; x < part.width(); ++x) {
      const QRgb p = part.pixel(x, y);
      warm += qRed(p) > qBlue(p) + 30 ? 1 : 0;
      cold += qBlue(p) > qRed(p) + 30 ? 1 : 0;
    }
  const int all = part.width() * part.height();
  CHECK(warm > all / 20);
  CHECK(cold > all / 20);

  SECTION("and turns with the mouse") {
    send(*pane, QEvent::MouseButtonPress, {100, 100}, Qt::LeftButton);
    send(*pane, QEvent::MouseMove, {180, 120}, Qt::LeftButton);
    send(*pane, QEvent::MouseButtonRelease, {180, 120}, Qt::LeftButton);
    CHECK(pane->refining());
    REQUIRE(waitFor([&] { return !pane->refining(); }, 120000));
    CHECK(pictureOf(*pane) != image);
  }
  SECTION("and is in the exported picture at any size") {
    const QImage exported = shown.views.renderToImage({1200, 1000});
    CHECK(exported.size() == QSize(1200, 1000));
    const QImage corner = exported.copy(750, 650, 300, 250);
    CHECK(countOf(corner, QColor(14, 16, 19), 2) < corner.width() * corner.height() / 2);
    CHECK(lightnessAround(exported, {300, 200}, 80) > 20);
  }
}

TEST_CASE("views without data, and data that go away") {
  VolumeViews views;
  showAt(views, {400, 300});
  CHECK_NOTHROW(pictureOf(views));
  views.setSource(markedVolume({8, 8, 8, 1}, {1, 1, 1}, 1, 2));
  views.setSource(nullptr);
  views.setCrosshair({1, 1, 1});
  views.setPreview({}, {0, 0, 0});
  CHECK_NOTHROW(pictureOf(views));
  CHECK(views.renderToImage({200, 150}).size() == QSize(200, 150));
}

TEST_CASE("not a number stands out and one voxel is enough") {
  Shown shown(markedVolume({kSize, kSize, kSize, 1}, {6, 6, 12}, 10, std::numeric_limits<float>::quiet_NaN()));
  SlicePane& pane = shown.pane(VolumeViews::View::Axial);
  const QImage image = pictureOf(pane);
  CHECK(closeTo(image.pixel(pane.positionOf({6, 6, 12}, 0).toPoint()), QColor(204, 0, 119)));
  // No picture is too small to be written.
  Shown tiny(markedVolume({3, 3, 3, 1}, {0, 0, 0}, 5, 6));
  CHECK(tiny.views.renderToImage({2, 1}).size() == QSize(2, 1));
  Shown one(markedVolume({1, 1, 1, 1}, {0, 0, 0}, 5, 5));
  CHECK(one.gray(VolumeViews::View::Axial, {0, 0, 0}) > 60);
}
