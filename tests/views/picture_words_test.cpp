// What the 3D view says about its picture, and what rests under the mouse while something else changes.

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>

#include "datasets/samples.h"
#include "tests/support/catch.h"
#include "tests/views/views_support.h"
#include "ui/views/slice_pane.h"
#include "ui/views/volume_pane.h"
#include "ui/views/volume_views.h"

using namespace sscope;
using namespace sscope::test;

namespace {

std::shared_ptr<const Volume> sample(const char* name) {
  return std::make_shared<const Volume>(makeSample(name, 32, 1, {}));
}

QString words(const VolumeViews& views) { return views.statusText(VolumeViews::View::Volume); }

}  // namespace

TEST_CASE("an earlier picture of the 3D view says so, and one of other data goes") {
  VolumeViews views;
  views.setSource(sample("gyroid"));
  views.setShow(VolumeViews::Show::Result);
  views.setResult(sample("gyroid"));
  views.setStatusText(VolumeViews::View::Volume, "full"_q);
  std::vector<bool> told;
  QObject::connect(&views, &VolumeViews::drawingChanged, [&](bool drawing) { told.push_back(drawing); });
  showAt(views, {600, 500});
  auto* pane = views.findChild<VolumePane*>();
  CHECK(words(views) == "drawing"_q);
  REQUIRE(waitFor([&] { return !pane->refining(); }, 120000));
  CHECK(words(views).startsWith("full"_q));
  REQUIRE_FALSE(told.empty());
  CHECK_FALSE(told.back());

  views.setResult(sample("shepp-logan"));
  CHECK(words(views) == "earlier picture"_q);
  CHECK(told.back());
  REQUIRE(waitFor([&] { return !pane->refining(); }, 120000));
  CHECK(words(views).startsWith("full"_q));
  CHECK_FALSE(told.back());

  // Data come while the view is not seen: nothing of the old is there when it is seen again.
  views.setViewLayout(VolumeViews::Layout::Axial);
  views.setSource(sample("marschner-lobb"));
  views.setViewLayout(VolumeViews::Layout::All);
  CHECK(words(views) == "drawing"_q);
  REQUIRE(waitFor([&] { return !pane->refining(); }, 120000));
  CHECK_FALSE(told.back());
}

TEST_CASE("what comes under a mouse that rests is told") {
  VolumeViews views;
  views.setSource(markedVolume({24, 24, 24, 1}, {5, 6, 13}, 1, 77));
  views.setShow(VolumeViews::Show::Source);
  showAt(views, {800, 600});
  SlicePane& pane = *views.findChildren<SlicePane*>().front();
  HoverInfo info;
  QObject::connect(&views, &VolumeViews::hovered, [&](const HoverInfo& told) { info = told; });
  const QPointF at = pane.positionOf({5, 6, 12}, kSourceSide);
  QMouseEvent move(QEvent::MouseMove, at, pane.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
  QApplication::sendEvent(&pane, &move);
  CHECK(info.source == std::vector<double>{1});
  QWheelEvent wheel(at, pane.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&pane, &wheel);
  CHECK(info.voxel == VoxelIndex{5, 6, 13});
  CHECK(info.source == std::vector<double>{77});
  CHECK(info.result.empty());
  views.setResult(markedVolume({24, 24, 24, 1}, {5, 6, 13}, 1, 33));
  CHECK(info.result == std::vector<double>{33});
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(&pane, &leave);
  CHECK_FALSE(info.inside);
  views.setCrosshair({1, 1, 1});
  CHECK_FALSE(info.inside);
}
