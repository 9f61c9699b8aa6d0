// Results that live on a device, in the views: what is shown is asked of them, and nothing waits for them.

#include <QApplication>
#include <QMouseEvent>

#include "tests/support/catch.h"
#include "tests/support/posing_array.h"
#include "tests/views/views_support.h"
#include "ui/charts/histogram_view.h"
#include "ui/views/slice_pane.h"
#include "ui/views/volume_pane.h"
#include "ui/views/volume_views.h"

using namespace sscope;
using namespace sscope::test;

namespace {

constexpr std::int64_t kEdge = 24;
const VolumeShape kShape{kEdge, kEdge, kEdge, 1};

struct ResidentShown {
  VolumeViews views;
  HoverInfo info;

  ResidentShown() {
    QObject::connect(&views, &VolumeViews::hovered, [this](const HoverInfo& told) { info = told; });
    views.setInterpolation(false);
    views.setSource(markedVolume(kShape, {0, 0, 0}, 7, 7));
    views.setShow(VolumeViews::Show::Result);
    views.setResultWindow(ValueWindow{0, 100});
    showAt(views, {800, 600});
  }
  SlicePane& axial() { return *views.findChildren<SlicePane*>().at(0); }
  void hover(const VoxelIndex& voxel) {
    const QPointF at = axial().positionOf(voxel, kResultSide);
    QMouseEvent event(QEvent::MouseMove, at, axial().mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(&axial(), &event);
  }
  double gray(const VoxelIndex& voxel) {
    return lightnessAround(pictureOf(axial()), axial().positionOf(voxel, kResultSide).toPoint(), 2);
  }
  bool tells(double value) {
    return waitFor([&] {
      hover({5, 6, views.crosshair()[2]});
      return info.result == std::vector<double>{value};
    });
  }
};

std::shared_ptr<PosingArray> marked(float background, float value, std::int64_t z = 12) {
  return std::make_shared<PosingArray>(markedVolume(kShape, {5, 6, z}, background, value));
}

}  // namespace

TEST_CASE("slices, brick and values of a result on a device are asked of it, and the whole never") {
  ResidentShown shown;
  const auto result = marked(20, 80);
  shown.views.setResult(result, {});
  REQUIRE(shown.tells(80));
  CHECK(shown.gray({5, 6, 12}) > 180);
  CHECK(shown.gray({15, 16, 12}) < 80);
  shown.views.setCrosshair({12, 12, 3});
  REQUIRE(shown.tells(20));
  CHECK(shown.gray({5, 6, 3}) < 80);
  shown.views.setCrosshair({12, 12, 12});
  REQUIRE(shown.tells(80));
  auto* pane = shown.views.findChild<VolumePane*>();
  REQUIRE(waitFor([&] { return !pane->refining(); }, 120000));
  CHECK(result->bricks == 1);
  CHECK(result->wholes == 0);

  const auto next = marked(30, 60);
  shown.views.setResult(next, {});
  REQUIRE(shown.tells(60));
  CHECK(next->wholes == 0);

  // In memory it is there at once.
  shown.views.setResult(hostArray("cpu", markedVolume(kShape, {5, 6, 12}, 10, 40)), Geometry());
  shown.hover({5, 6, 12});
  CHECK(shown.info.result == std::vector<double>{40});
}

TEST_CASE("the window of a result on a device is that of its samples") {
  ResidentShown shown;
  shown.views.setResultWindow(std::nullopt);
  const auto volume = markedVolume(kShape, {5, 6, 12}, 20, 80);
  shown.views.setResult(std::shared_ptr<const Volume>(volume));
  const ValueWindow expected = shown.views.resultWindow();
  shown.views.setResult(marked(500, 900), {});
  REQUIRE(waitFor([&] { return shown.views.resultWindow() != expected; }));
  shown.views.setResult(std::make_shared<PosingArray>(volume), {});
  REQUIRE(waitFor([&] { return shown.views.resultWindow() == expected; }));
}

TEST_CASE("while a device is busy the slices before stand, and the views say so") {
  ResidentShown shown;
  const auto result = marked(20, 80);
  shown.views.setResult(result, {});
  REQUIRE(shown.tells(80));
  {
    const std::lock_guard lock(result->busy);
    shown.views.setCrosshair({12, 12, 3});
    CHECK(shown.gray({5, 6, 12}) > 180);  // the slice before
    shown.hover({5, 6, 3});
    CHECK(shown.info.result.empty());  // of which no value is told as one of this slice
    // A newer setting's slice is not replaced by what was asked for before.
    shown.views.setPreview({markedVolume({kEdge, kEdge, 1, 1}, {5, 6, 0}, 1, 55), nullptr, nullptr}, {12, 12, 3});
    CHECK(shown.tells(55));
  }
  REQUIRE(waitFor([&] { return result->busy.try_lock() && (result->busy.unlock(), true); }));
  CHECK_FALSE(waitFor([&] { return !shown.tells(55); }, 300));
}

TEST_CASE("of another result no value and no slice is told as one of the present result") {
  ResidentShown shown;
  const auto first = marked(20, 80);
  shown.views.setResult(first, {});
  REQUIRE(shown.tells(80));
  SECTION("not in panes that are hidden") {
    shown.views.setViewLayout(VolumeViews::Layout::Axial);
    shown.views.setResult(marked(30, 60), {});
    REQUIRE(shown.tells(60));
    shown.hover({12, 6, 12});  // where the hidden sagittal slice was
    CHECK(shown.info.result == std::vector<double>{30});
    shown.views.setViewLayout(VolumeViews::Layout::All);
    REQUIRE(waitFor([&] {
      shown.hover({12, 6, 12});
      return shown.info.result == std::vector<double>{30};
    }));
  }
  SECTION("not while the device is busy") {
    const QString late = "earlier slice: the device is busy"_q;
    shown.views.setStatusText(VolumeViews::View::Axial, late);
    const QImage expected = pictureOf(shown.axial());
    shown.views.setStatusText(VolumeViews::View::Axial, "full"_q);
    const auto next = marked(30, 60);
    {
      const std::lock_guard lock(next->busy);
      shown.views.setResult(next, {});
      shown.hover({5, 6, 12});
      CHECK(shown.info.result.empty());
      CHECK(waitFor([&] { return pictureOf(shown.axial()) == expected; }, 10000));
    }
    REQUIRE(shown.tells(60));
    CHECK(pictureOf(shown.axial()) != expected);
  }
}

TEST_CASE("views keep no volume alive that they do not show") {
  ResidentShown shown;
  const auto early = std::weak_ptr<const Volume>([&] {
    const auto volume = markedVolume(kShape, {5, 6, 12}, 20, 80);
    shown.views.setResult(volume);
    return volume;
  }());
  const auto onDevice = std::weak_ptr<PosingArray>([&] {
    auto* pane = shown.views.findChild<VolumePane*>();
    CHECK(waitFor([&] { return !pane->refining(); }, 120000));
    shown.views.setViewLayout(VolumeViews::Layout::Axial);
    const auto array = marked(30, 60);
    shown.views.setResult(array, {});
    CHECK(shown.tells(60));
    return array;
  }());
  CHECK(waitFor([&] { return early.expired(); }));
  shown.views.setResult(nullptr);
  CHECK(waitFor([&] { return onDevice.expired(); }));
}

TEST_CASE("values are counted where they live, and a picture keeps none alive") {
  HistogramView view;
  auto array = marked(20, 80);
  view.setArray(array);
  REQUIRE(waitFor([&] { return !view.histogram().counts.empty(); }));
  CHECK(view.histogram().least == 20);
  CHECK(view.histogram().most == 80);
  CHECK(array->counted == 1);
  CHECK(array->wholes == 0);
  const std::weak_ptr<PosingArray> held = array;
  array.reset();
  CHECK(waitFor([&] { return held.expired(); }));
}
