// Source and result in one slice: swipe, flicker, checkerboard, difference.

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include "tests/support/catch.h"
#include "tests/views/views_support.h"
#include "ui/views/slice_pane.h"
#include "ui/views/volume_views.h"

using namespace sscope;
using namespace sscope::test;

namespace {

using How = CompareLook::How;

std::shared_ptr<const Volume> uniform(float value, const VolumeShape& shape = {24, 24, 24, 1}) {
  Volume volume(shape, ElementType::f32);
  std::ranges::fill(volume.elements<float>(), value);
  return std::make_shared<const Volume>(std::move(volume));
}

// A dark source and a bright result, the axial slice alone.
struct Compared {
  VolumeViews views;
  explicit Compared(How how, std::shared_ptr<const Volume> source = uniform(20),
                    std::shared_ptr<const Volume> result = uniform(80)) {
    views.setSource(std::move(source));
    views.setResult(std::move(result));
    views.setSourceWindow(ValueWindow{0, 100});
    views.setResultWindow(ValueWindow{0, 100});
    views.setShow(VolumeViews::Show::Both);
    views.setViewLayout(VolumeViews::Layout::Axial);
    CompareLook look;
    look.how = how;
    views.setCompare(look);
    showAt(views, {600, 600});
  }
  [[nodiscard]] SlicePane& pane() { return *views.findChildren<SlicePane*>().front(); }
  [[nodiscard]] double gray(const QPoint& at) { return lightnessAround(pictureOf(pane()), at); }
  template <class Change>
  void change(const Change& change) {
    CompareLook look = views.compare();
    change(look);
    views.setCompare(look);
  }
};

constexpr double kDark = 51, kBright = 204;  // 20 and 80 of 100

void dragMouse(QWidget& widget, const QPointF& from, const QPointF& to, Qt::MouseButton button = Qt::LeftButton) {
  sendMouse(widget, QEvent::MouseButtonPress, from, button);
  sendMouse(widget, QEvent::MouseMove, (from + to) / 2, button);
  sendMouse(widget, QEvent::MouseMove, to, button);
  sendMouse(widget, QEvent::MouseButtonRelease, to, button);
}

}  // namespace

TEST_CASE("the swipe shows the source left of its divider, the result right of it, each where it is") {
  Compared test(How::Swipe);
  const QPoint left(150, 200), right(450, 200);
  CHECK(test.gray(left) == Approx(kDark).margin(2));
  CHECK(test.gray(right) == Approx(kBright).margin(2));
  // One place on the screen for both.
  const VoxelIndex voxel{3, 5, 12};
  CHECK(test.pane().positionOf(voxel, kSourceSide) == test.pane().positionOf(voxel, kResultSide));
  CHECK(test.pane().hit(left).side == kSourceSide);
  CHECK(test.pane().hit(right).side == kResultSide);

  SECTION("dragged") {
    const VoxelIndex before = test.views.crosshair();
    int edited = 0;
    QObject::connect(&test.views, &VolumeViews::compareEdited, [&] { ++edited; });
    dragMouse(test.pane(), {300, 200}, {120, 260});
    CHECK(test.views.compare().divider == Approx(0.2));
    CHECK(edited > 0);
    CHECK(test.views.crosshair() == before);
    CHECK(test.gray(left) == Approx(kBright).margin(2));
    dragMouse(test.pane(), {120, 260}, {-50, 260});
    CHECK(test.views.compare().divider == 0);
  }
  SECTION("with the keys") {
    sendKey(test.pane(), Qt::Key_Left, Qt::ShiftModifier);
    sendKey(test.pane(), Qt::Key_Left, Qt::ShiftModifier);
    CHECK(test.views.compare().divider == Approx(0.46));
    const VoxelIndex before = test.views.crosshair();
    sendKey(test.pane(), Qt::Key_Right, Qt::ShiftModifier);
    CHECK(test.views.compare().divider == Approx(0.48));
    CHECK(test.views.crosshair() == before);
    sendKey(test.pane(), Qt::Key_Right, Qt::NoModifier);  // as ever
    CHECK(test.views.crosshair()[2] == before[2] + 1);
  }
  SECTION("elsewhere the mouse sets the crosshair") {
    const VoxelIndex wanted{20, 4, 12};
    sendMouse(test.pane(), QEvent::MouseButtonPress, test.pane().positionOf(wanted, kResultSide), Qt::LeftButton);
    CHECK(test.views.crosshair() == wanted);
  }
}

TEST_CASE("the fields of the checkerboard alternate and go with the slice") {
  Compared test(How::Checkerboard);
  test.change([](CompareLook& look) { look.fields = 4; });
  // The middles of fields: of 24 voxels six each. Row 0 is on top, where y is 0.
  const auto fieldGray = [&](int column, int row) {
    const VoxelIndex middle{6 * column + 2, 6 * row + 2, 12};
    return test.gray(test.pane().positionOf(middle, kSourceSide).toPoint());
  };
  for (const int row : {1, 2})
    for (int column = 0; column < 4; ++column) {
      CAPTURE(row, column);
      CHECK(fieldGray(column, row) == Approx((row + column) % 2 == 0 ? kDark : kBright).margin(2));
    }
  test.change([](CompareLook& look) { look.fields = 2; });
  CHECK(fieldGray(1, 1) == Approx(kDark).margin(2));
  CHECK(fieldGray(2, 1) == Approx(kBright).margin(2));
}

TEST_CASE("the flicker shows source and result in turn while it is seen") {
  Compared test(How::Flicker);
  test.change([](CompareLook& look) { look.seconds = 0.05; });
  const QPoint at(150, 200);
  const auto shows = [&](double gray) { return std::abs(test.gray(at) - gray) < 3; };
  CHECK(waitFor([&] { return shows(kDark); }));
  CHECK(waitFor([&] { return shows(kBright); }));
  CHECK(waitFor([&] { return shows(kDark); }));
  test.views.setShow(VolumeViews::Show::Source);
  CHECK(shows(kDark));
  test.views.setShow(VolumeViews::Show::Both);
  test.change([](CompareLook& look) { look.how = How::Side; });
  CHECK(test.gray(at) == Approx(kDark).margin(2));
  CHECK(test.gray({450, 200}) == Approx(kBright).margin(2));
}

TEST_CASE("the difference has symmetric colors, a range and norms, and follows the slices") {
  Volume stepped({24, 24, 24, 1}, ElementType::f32);
  std::size_t i = 0;
  for (float& value : stepped.elements<float>()) value = (i++ % 24) < 12 ? 10.0F : 30.0F;  // 10 below, 10 above
  Compared test(How::Difference, uniform(20), std::make_shared<const Volume>(std::move(stepped)));
  const QPoint left(150, 200), right(450, 200);
  const auto is = [&](const QPoint& at, const QColor& color) {
    return closeTo(pictureOf(test.pane()).pixel(at), color);
  };
  const auto shown = test.views.difference(VolumeViews::View::Axial);
  REQUIRE(shown);
  CHECK(shown->window == std::array<double, 2>{-10, 10});
  CHECK(shown->norms.rootMeanSquare == Approx(10));
  CHECK(shown->norms.relative == Approx(0.5));
  CHECK(is(left, mapColor(ColorMap::Diverging, 0)));
  CHECK(is(right, mapColor(ColorMap::Diverging, 1)));
  CHECK_FALSE(test.views.difference(VolumeViews::View::Coronal));  // it is not seen

  SECTION("absolute and relative") {
    test.change([](CompareLook& look) { look.difference = DifferenceKind::Absolute; });
    CHECK(test.views.difference(VolumeViews::View::Axial)->window == std::array<double, 2>{0, 10});
    CHECK(is(left, mapColor(ColorMap::Magnitude, 1)));
    test.change([](CompareLook& look) { look.difference = DifferenceKind::Relative; });
    CHECK(test.views.difference(VolumeViews::View::Axial)->window == std::array<double, 2>{-0.5, 0.5});
    CHECK(is(right, mapColor(ColorMap::Diverging, 1)));
  }
  SECTION("a range that is asked for, or dragged") {
    test.change([](CompareLook& look) { look.range = 20; });
    CHECK(is(right, mapColor(ColorMap::Diverging, 0.75)));
    int edited = 0;
    QObject::connect(&test.views, &VolumeViews::compareEdited, [&] { ++edited; });
    dragMouse(test.pane(), {100, 300}, {300, 300}, Qt::RightButton);
    CHECK(test.views.differenceRange() > 30);
    CHECK(edited > 0);
    CHECK(test.views.resultWindow() == ValueWindow{0, 100});
    test.change([](CompareLook& look) { look.range.reset(); });
    CHECK(test.views.differenceRange() == 10);
  }
  SECTION("a newer slice of the result") {
    int changed = 0;
    QObject::connect(&test.views, &VolumeViews::differenceChanged, [&] { ++changed; });
    test.views.setPreview({uniform(50, {24, 24, 1, 1}), nullptr, nullptr}, {12, 12, 12});
    CHECK(changed > 0);
    CHECK(test.views.difference(VolumeViews::View::Axial)->norms.maximum == 30);
    CHECK(test.views.differenceRange() == 30);
    CHECK(is(left, mapColor(ColorMap::Diverging, 1)));
    // Another slice, of the whole result again.
    test.views.setCrosshair({12, 12, 3});
    CHECK(test.views.difference(VolumeViews::View::Axial)->norms.maximum == 10);
  }
  SECTION("without a result there is none") {
    test.views.setResult(nullptr);
    CHECK_FALSE(test.views.difference(VolumeViews::View::Axial));
  }
}

TEST_CASE("a color image differs in all its channels, and colors of slices leave it its own") {
  Volume rgb({24, 24, 1, 3}, ElementType::u8), filtered({24, 24, 1, 3}, ElementType::u8);
  std::ranges::fill(rgb.elements<std::uint8_t>(), std::uint8_t{100});
  std::ranges::fill(filtered.elements<std::uint8_t>(), std::uint8_t{130});
  Compared test(How::Difference, std::make_shared<const Volume>(std::move(rgb)),
                std::make_shared<const Volume>(std::move(filtered)));
  REQUIRE(test.views.difference(VolumeViews::View::Axial));
  CHECK(test.views.difference(VolumeViews::View::Axial)->norms.elements == 3 * 24 * 24);
  CHECK(test.views.difference(VolumeViews::View::Axial)->norms.decibels.value() == Approx(20 * std::log10(255.0 / 30)));
  test.views.setSliceColors({ColorMap::Inferno, true, 1});
  test.views.setShow(VolumeViews::Show::Source);
  test.views.setSourceWindow(ValueWindow{0, 255});
  CHECK(closeTo(pictureOf(test.pane()).pixel(150, 200), QColor(155, 155, 155)));
}

TEST_CASE("slices take a color map, inversion and gamma") {
  Compared test(How::Side);
  test.views.setShow(VolumeViews::Show::Source);
  const QPoint at(150, 200);
  const auto is = [&](const QColor& color) { return closeTo(pictureOf(test.pane()).pixel(at), color); };
  for (const ColorMap map : {ColorMap::Magnitude, ColorMap::Magma, ColorMap::Inferno, ColorMap::Cividis,
                             ColorMap::Diverging, ColorMap::CoolWarm}) {
    test.views.setSliceColors({map});
    CHECK(is(mapColor(map, 0.2)));
    test.views.setSliceColors({map, true});
    CHECK(is(mapColor(map, 0.8)));
  }
  test.views.setSliceColors({ColorMap::Gray, false, 2});
  CHECK(test.gray(at) == Approx(255 * std::sqrt(0.2)).margin(2));
  test.views.setSliceColors({});
  CHECK(test.gray(at) == Approx(kDark).margin(2));
}
