// Time between the pictures of a moving 3D view, and what waiting for a picture tells.

#include <QKeyEvent>
#include <QSignalSpy>

#include "tests/support/catch.h"
#include "tests/views/views_support.h"
#include "ui/views/volume_pane.h"
#include "ui/views/volume_renderer.h"
#include "ui/views/volume_views.h"

using namespace sscope;
using namespace sscope::test;
using namespace std::chrono_literals;

TEST_CASE("frames last from one picture of a motion to the next") {
  FrameClock clock;
  const FrameClock::Time start{};
  CHECK_FALSE(clock.median());
  clock.asked(start);
  CHECK_FALSE(clock.median());
  clock.shown(start + 30ms);  // the first one: from when it was asked for
  CHECK(clock.median() == Approx(0.030));
  clock.asked(start + 31ms);
  clock.asked(start + 35ms);  // the mouse is faster than the pictures
  clock.shown(start + 50ms);
  clock.asked(start + 51ms);
  clock.shown(start + 70ms);
  CHECK(clock.median() == Approx(0.020));
}

TEST_CASE("a pause within a motion and the rest between two are no frames") {
  FrameClock clock;
  const FrameClock::Time start{};
  clock.asked(start);
  clock.shown(start + 10ms);
  clock.asked(start + 110ms);
  clock.shown(start + 120ms);
  CHECK(clock.median() == Approx(0.010));
  clock.rested();
  CHECK(clock.median() == Approx(0.010));  // of the last motion, until the next one
  clock.asked(start + 10s);
  CHECK_FALSE(clock.median());
  clock.shown(start + 10s + 40ms);
  CHECK(clock.median() == Approx(0.040));
  clock.shown(start + 10s + 90ms);  // nobody asked for it
  CHECK(clock.median() == Approx(0.040));
}

TEST_CASE("the 3D view tells its time between frames while it moves, not when it rests") {
  VolumeViews views;
  views.setShow(VolumeViews::Show::Source);
  views.setSource(markedVolume({16, 16, 16, 1}, {8, 8, 8}, 0, 900));
  views.setViewLayout(VolumeViews::Layout::Volume);
  showAt(views, {300, 240});
  auto& pane = *views.findChild<VolumePane*>();
  REQUIRE(waitFor([&] { return !pane.refining(); }));
  CHECK_FALSE(pane.frameSeconds());
  const auto told = [&] { return views.statusText(VolumeViews::View::Volume).contains(" a frame"_q); };
  CHECK_FALSE(told());
  REQUIRE(waitFor([&] {
    sendKey(pane, Qt::Key_Left);
    return told();
  }));
  CHECK(*pane.frameSeconds() > 0);
  REQUIRE(waitFor([&] { return !pane.refining(); }));
  CHECK_FALSE(told());
  CHECK(pane.frameSeconds());
}

TEST_CASE("who waits for a picture of the 3D view is told what was found, and keeps the picture") {
  VolumeViews views;
  views.setShow(VolumeViews::Show::Source);
  views.setSource(markedVolume({16, 16, 16, 1}, {8, 8, 8}, 0, 900));
  views.setViewLayout(VolumeViews::Layout::Volume);
  showAt(views, {300, 240});
  QSignalSpy found(&views, &VolumeViews::volumeInsightsChanged);
  const QImage picture = views.renderToImage();
  CHECK(found.count() >= 1);
  REQUIRE(views.volumeInsight(0));
  auto& pane = *views.findChild<VolumePane*>();
  CHECK_FALSE(pane.refining());
  CHECK_FALSE(views.statusText(VolumeViews::View::Volume).contains("resolution"_q));
  CHECK(views.renderToImage() == picture);
}
