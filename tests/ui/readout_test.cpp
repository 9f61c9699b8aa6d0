// The value under a mouse that rests, and numbers that are wide.

#include <QLabel>
#include <QMouseEvent>
#include <QWheelEvent>

#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/controls/number_box.h"
#include "ui/panels/hover_readout.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/views/slice_pane.h"
#include "ui/views/volume_views.h"

using namespace sscope;
using namespace sscope::test;

namespace {

void wheel(QWidget& widget, const QPoint& at, int notches, Qt::KeyboardModifiers keys = {}) {
  QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, keys, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&widget, &event);
}

}  // namespace

TEST_CASE("the readout follows the wheel, the keys, zoom and results under a mouse that rests") {
  TestWindow test({"gaussian:sigma=1"}, "marschner-lobb", 32);
  SlicePane* pane = test.views().findChildren<SlicePane*>().front();  // axial
  // Of these views: those of other rooms have lines of their own.
  auto* label = test.views().parentWidget()->findChild<QLabel*>("hover"_q);
  REQUIRE(label != nullptr);
  const auto said = [&] { return label->text().toStdString(); };
  // The voxel and the value that the line has to show.
  const auto expected = [&](const VoxelIndex& voxel) {
    HoverInfo info;
    info.inside = true;
    info.voxel = voxel;
    const Volume& source = *test.model().data().volume;
    const Geometry& geometry = source.geometry();
    info.position = geometry.toPhysical(
        {static_cast<double>(voxel[0]), static_cast<double>(voxel[1]), static_cast<double>(voxel[2])});
    info.source = {source.value(voxel[0], voxel[1], voxel[2])};
    info.result = {test.window->live().result()->outputs[0]->host({})->value(voxel[0], voxel[1], voxel[2])};
    return hoverText(info, geometry, 3).toStdString();
  };
  const QPoint at = pane->rect().center() + QPoint(20, 30);
  QMouseEvent move(QEvent::MouseMove, at, pane->mapToGlobal(QPointF(at)), Qt::NoButton, Qt::NoButton, {});
  QCoreApplication::sendEvent(pane, &move);
  VoxelIndex voxel = pane->hit(at).voxel;
  CHECK(said() == expected(voxel));

  wheel(*pane, at, 5);
  CHECK(pane->hit(at).voxel[2] == voxel[2] + 5);
  voxel = pane->hit(at).voxel;
  CHECK(said() == expected(voxel));

  QTest::keyClick(pane, Qt::Key_PageDown);
  CHECK(pane->hit(at).voxel[2] == voxel[2] - 10);
  CHECK(said() == expected(pane->hit(at).voxel));

  wheel(*pane, at, -4, Qt::ControlModifier);  // out: other voxels come under a mouse that is not in the middle
  wheel(*pane, at + QPoint(40, 40), 8, Qt::ControlModifier);
  const auto zoomed = pane->hit(at + QPoint(40, 40)).voxel;
  CHECK(said() == expected(zoomed));

  const std::string before = said();
  test.setOption("sigma", Length{3, false});
  REQUIRE(test.waitIdle());
  CHECK(said() == expected(zoomed));
  CHECK(said() != before);
}

TEST_CASE("positions tell neighboring voxels apart") {
  Geometry geometry;
  geometry.unit = "mm";
  geometry.spacing = {0.023, 0.023, 0.023};
  HoverInfo info;
  info.inside = true;
  info.source = {180};
  info.voxel = {1, 0, 0};
  info.position = {0.023, 0, 0};
  const QString first = hoverText(info, geometry, 3);
  CHECK(first.contains("(0.023, 0.000, 0.000) mm"_q));
  CHECK(first.contains("voxel (1, 0, 0)"_q));
  info.position[0] = 0.046;
  CHECK(hoverText(info, geometry, 3) != first);
  geometry.spacing = {1, 1, 1};
  info.position = {12, -4, 33};
  CHECK(hoverText(info, geometry, 3).contains("(12.0, -4.0, 33.0) mm"_q));
}

TEST_CASE("window and level have room for any number") {
  TestWindow test({"gaussian:sigma=1"});
  Volume large({16, 16, 16, 1}, ElementType::f32);
  auto values = large.elements<float>();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = -1.2345e6F * static_cast<float>(i);
  OpenData data;
  data.volume = std::make_shared<const Volume>(std::move(large));
  data.identity = 77;
  test.model().setData(data);
  REQUIRE(test.waitIdle());
  for (const char* name : {"windowWidth", "windowLevel"}) {
    auto& box = test.find<NumberBox>(name);
    INFO(name << " " << box.text().toStdString());
    CHECK(box.text().size() > 8);
    CHECK(box.fontMetrics().horizontalAdvance(box.text()) < box.width() - 4);
  }
}
