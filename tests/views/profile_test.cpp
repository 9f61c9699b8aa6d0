// The line of a profile in the slices: drawn, moved by its ends, as a whole and with the keys.

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <optional>

#include "tests/support/catch.h"
#include "tests/views/views_support.h"
#include "ui/views/profile_tool.h"
#include "ui/views/slice_pane.h"
#include "ui/views/volume_views.h"

using namespace sscope;
using namespace sscope::test;

namespace {

constexpr QRgb kLine = 0xFFFFD60A;

// Views that keep the line they are told.
struct Profiled {
  VolumeViews views;
  std::optional<ProfileLine> line;
  int dropped = 0;
  explicit Profiled(Geometry geometry = {}) {
    views.setSource(markedVolume({24, 24, 24, 1}, {1, 1, 1}, 10, 20, std::move(geometry)));
    views.setShow(VolumeViews::Show::Source);
    QObject::connect(&views, &VolumeViews::profileDragged, [this](const ProfileLine& now) {
      line = now;
      views.setProfile(true, line);
    });
    QObject::connect(&views, &VolumeViews::profileDropped, [this] { ++dropped; });
    views.setProfile(true, {});
    showAt(views, {800, 600});
  }
  [[nodiscard]] SlicePane& pane(VolumeViews::View view) {
    return *views.findChildren<SlicePane*>().at(static_cast<int>(view));
  }
  void drag(VolumeViews::View view, const VoxelIndex& from, const VoxelIndex& to,
            Qt::KeyboardModifiers modifiers = {}) {
    SlicePane& on = pane(view);
    const auto send = [&](QEvent::Type type, const QPointF& at) { sendMouse(on, type, at, Qt::LeftButton, modifiers); };
    const QPointF a = on.positionOf(from, kSourceSide), b = on.positionOf(to, kSourceSide);
    send(QEvent::MouseButtonPress, a);
    for (const double share : {0.3, 0.7, 1.0}) send(QEvent::MouseMove, a + share * (b - a));
    send(QEvent::MouseButtonRelease, b);
  }
  void press(VolumeViews::View view, int key, Qt::KeyboardModifiers modifiers) { sendKey(pane(view), key, modifiers); }
};

void checkPoint(const SlicePoint& point, double first, double second) {
  CHECK(point[0] == Approx(first).margin(1e-6));
  CHECK(point[1] == Approx(second).margin(1e-6));
}

}  // namespace

TEST_CASE("a drag draws a line in the slice, whose ends and middle can be dragged then") {
  const bool turned = GENERATE(false, true);
  Geometry geometry;
  if (turned) geometry.direction = {-1, 0, 0, 0, -1, 0, 0, 0, 1};
  Profiled test(geometry);
  const VoxelIndex crosshair = test.views.crosshair();
  test.drag(VolumeViews::View::Coronal, {4, 12, 6}, {16, 12, 20});
  REQUIRE(test.line);
  CHECK(test.line->axis == 1);
  checkPoint(test.line->from, 4, 6);
  checkPoint(test.line->to, 16, 20);
  CHECK(test.dropped == 1);
  CHECK(test.views.crosshair() == crosshair);
  CHECK(countOf(pictureOf(test.pane(VolumeViews::View::Coronal)), QColor(kLine)) > 100);
  CHECK(countOf(pictureOf(test.pane(VolumeViews::View::Axial)), QColor(kLine)) == 0);

  test.drag(VolumeViews::View::Coronal, {16, 12, 20}, {20, 12, 8});
  checkPoint(test.line->from, 4, 6);
  checkPoint(test.line->to, 20, 8);
  test.drag(VolumeViews::View::Coronal, {4, 12, 6}, {2, 12, 12}, Qt::ShiftModifier);  // along one axis
  checkPoint(test.line->from, 2, 8);
  test.drag(VolumeViews::View::Coronal, {11, 12, 8}, {12, 12, 3});  // the middle
  checkPoint(test.line->from, 3, 3);
  checkPoint(test.line->to, 21, 3);
  // Never out of the data.
  test.drag(VolumeViews::View::Coronal, {12, 12, 3}, {40, 12, -9});
  checkPoint(test.line->from, 5, 0);
  checkPoint(test.line->to, 23, 0);
  // Another slice takes it.
  test.drag(VolumeViews::View::Axial, {3, 3, 12}, {9, 14, 12});
  CHECK(test.line->axis == 2);
  checkPoint(test.line->to, 9, 14);
}

TEST_CASE("a click sets the crosshair while a line can be drawn, and without the tool a drag does") {
  Profiled test;
  test.drag(VolumeViews::View::Axial, {5, 6, 12}, {5, 6, 12});
  CHECK_FALSE(test.line);
  CHECK(test.views.crosshair() == VoxelIndex{5, 6, 12});
  test.views.setProfile(false, ProfileLine{2, {2, 3}, {15, 3}});
  test.drag(VolumeViews::View::Axial, {2, 3, 12}, {9, 9, 12});
  CHECK(test.views.crosshair() == VoxelIndex{9, 9, 12});
  CHECK_FALSE(test.line);
  CHECK(countOf(pictureOf(test.pane(VolumeViews::View::Axial)), QColor(kLine)) == 0);
}

TEST_CASE("arrow keys with Shift move the second end, with Ctrl the whole line") {
  Profiled test;
  test.views.setProfile(true, ProfileLine{2, {2, 3}, {15, 5}});
  test.press(VolumeViews::View::Axial, Qt::Key_Right, Qt::ShiftModifier);
  REQUIRE(test.line);
  checkPoint(test.line->to, 16, 5);
  test.press(VolumeViews::View::Axial, Qt::Key_Up, Qt::ShiftModifier);  // y grows downward
  checkPoint(test.line->to, 16, 4);
  checkPoint(test.line->from, 2, 3);
  test.press(VolumeViews::View::Axial, Qt::Key_Left, Qt::ShiftModifier | Qt::ControlModifier);
  checkPoint(test.line->from, 1, 3);
  checkPoint(test.line->to, 15, 4);
  CHECK(test.dropped == 3);
  const VoxelIndex before = test.views.crosshair();
  test.press(VolumeViews::View::Axial, Qt::Key_Right, {});
  CHECK(test.views.crosshair()[2] == before[2] + 1);
}

TEST_CASE("the first line goes across the slice that was used last") {
  Profiled test;
  test.views.setCrosshair({7, 8, 9});
  const ProfileLine line = test.views.profileThroughCrosshair();
  CHECK(line == ProfileLine{2, {0, 8}, {23, 8}});
  QEnterEvent enter({5, 5}, {5, 5}, {5, 5});
  QApplication::sendEvent(&test.pane(VolumeViews::View::Sagittal), &enter);
  REQUIRE(test.views.activeSlice() == VolumeViews::View::Sagittal);
  CHECK(test.views.profileThroughCrosshair() == ProfileLine{0, {0, 9}, {23, 9}});
}
